import { type RefCallback, useLayoutEffect, useState } from 'react';
import type { PageBlock } from '../api/pages.js';
import { useBoxWidth } from '../parts/chart/use-box-width.js';
import { reservedHeight } from './reserved-height.js';

export interface ReservedHeight {
  readonly ref: RefCallback<HTMLElement>;
  /** The height in pixels. */
  readonly height: number;
  /** Whether the block keeps the reserved height even if its result is lower. */
  readonly isKept: boolean;
}

/**
 * Reserves a height for a result. If the block is below the visible part of the page when its result arrives, it gets the actual height of
 * the result, because no visible part moves.
 */
export function useReservedHeight(block: PageBlock, isLoaded: boolean): ReservedHeight {
  const [measure, width] = useBoxWidth();
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [isKept, keep] = useState(true);
  const [ref] = useState(() => (node: HTMLElement | null) => {
    setElement(node);
    return node === null ? undefined : measure(node);
  });
  useLayoutEffect(() => {
    if (isLoaded && element !== null) keep(element.getBoundingClientRect().top < window.innerHeight);
  }, [isLoaded, element]);
  return { ref, height: reservedHeight(block, width), isKept };
}

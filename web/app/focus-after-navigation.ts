import { useRouterState } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

/**
 * Moves the focus to the heading of a page after a navigation. A page may replace its heading when its data arrive; then the focus moves to
 * the new heading, unless the user has pressed a key or a button.
 */
export function useFocusAfterNavigation(main: RefObject<HTMLElement | null>): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const last = useRef(path);
  useEffect(() => {
    const isNavigation = last.current !== undefined && last.current !== path;
    last.current = path;
    const element = main.current;
    if (!isNavigation || element === null) return;
    element.focus({ preventScroll: true });
    focusHeading(element);
    const observer = new MutationObserver(() => focusHeading(element));
    observer.observe(element, { childList: true, subtree: true });
    const stop = () => observer.disconnect();
    for (const event of ['keydown', 'pointerdown']) document.addEventListener(event, stop, { once: true });
    return () => {
      stop();
      for (const event of ['keydown', 'pointerdown']) document.removeEventListener(event, stop);
    };
  }, [path, main]);
}

/** Focuses the heading, unless a control of the page has the focus. */
function focusHeading(main: HTMLElement): void {
  const { activeElement: active } = document;
  if (active !== null && active !== document.body && active !== main) return;
  const heading = main.querySelector('h1');
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

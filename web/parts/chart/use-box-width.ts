import { type RefCallback, useCallback, useState } from 'react';

/** Returns a ref and the width of its element in pixels; undefined before it is measured. */
export function useBoxWidth(): readonly [RefCallback<HTMLElement>, number | undefined] {
  const [width, setWidth] = useState<number>();
  const ref = useCallback((element: HTMLElement) => {
    const measure = () => setWidth(Math.floor(element.clientWidth) || undefined);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref as RefCallback<HTMLElement>, width];
}

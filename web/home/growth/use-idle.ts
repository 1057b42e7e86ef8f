import { useEffect, useState } from 'react';

const LONGEST_WAIT_MS = 1_500;

/** Whether the browser had time after the first paint, so that large parts of the page can be loaded. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    // Safari has no such callback.
    if (typeof requestIdleCallback === 'undefined') {
      const timer = setTimeout(() => setIdle(true), 200);
      return () => clearTimeout(timer);
    }
    const request = requestIdleCallback(() => setIdle(true), { timeout: LONGEST_WAIT_MS });
    return () => cancelIdleCallback(request);
  }, []);
  return isIdle;
}

import { useEffect, useState } from 'react';

/** Returns the whole seconds since a time in milliseconds. The component is rendered again every second. */
export function useSecondsSince(time: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((now - time) / 1_000));
}

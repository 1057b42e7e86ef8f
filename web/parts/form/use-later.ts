import { useEffect, useState } from 'react';

const WAIT_MS = 200;

/** Returns a text after it has not changed for a moment. */
export function useLater(text: string): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), WAIT_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}

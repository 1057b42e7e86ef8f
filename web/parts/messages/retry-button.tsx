import { useEffect, useState } from 'react';
import { Button } from '../layout/button.js';

interface RetryButtonProps {
  /** The seconds to wait, from the response of the service. */
  readonly wait: number;
  readonly onRetry: () => void;
}

/** A retry button that is disabled during the wait and shows the remaining seconds. */
export function RetryButton({ wait, onRetry }: RetryButtonProps) {
  const left = useCountdown(wait);
  return (
    <Button icon="refresh" size="small" disabled={left > 0} onClick={onRetry}>
      {left > 0 ? `Try again in ${left === 1 ? '1 second' : `${left} seconds`}` : 'Try again'}
    </Button>
  );
}

const TICK_MS = 250;

function useCountdown(seconds: number): number {
  const [end, setEnd] = useState(() => Date.now() + seconds * 1000);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setEnd(Date.now() + seconds * 1000);
    setNow(Date.now());
  }, [seconds]);
  const left = Math.max(0, Math.ceil((end - now) / 1000));
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isOver]);
  return left;
}

import type { Logger } from 'pino';

/** Work done now and then. */
export interface Repeated {
  /** Does the work now, or joins the turn under way; resolves when it has ended, well or not. */
  now(): Promise<void>;
  /** No further turn begins; resolves when the one under way, if any, has ended. */
  stop(): Promise<void>;
}

/** Does the work every `everyMs`, never two turns at a time. A failed turn is logged, and the next one tries again. */
export function repeat(name: string, everyMs: number, work: () => Promise<void>, logger: Logger): Repeated {
  let turn: Promise<void> | undefined;
  const now = () => {
    turn ??= work()
      .catch((error: unknown) => logger.error({ err: error }, `${name} failed`))
      .finally(() => {
        turn = undefined;
      });
    return turn;
  };
  const timer = setInterval(now, everyMs);
  return {
    now,
    stop: async () => {
      clearInterval(timer);
      await turn;
    },
  };
}

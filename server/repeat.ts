import type { Logger } from 'pino';

/** Work done now and then. */
export interface Repeated {
  /** No further turn begins; resolves when the one under way, if any, has ended. */
  stop(): Promise<void>;
}

/** Does the work every `everyMs`, never two turns at a time. A failed turn is logged, and the next one tries again. */
export function repeat(name: string, everyMs: number, work: () => Promise<void>, logger: Logger): Repeated {
  let turn: Promise<void> | undefined;
  const timer = setInterval(() => {
    turn ??= work()
      .catch((error: unknown) => logger.error({ err: error }, `${name} failed`))
      .finally(() => {
        turn = undefined;
      });
  }, everyMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await turn;
    },
  };
}

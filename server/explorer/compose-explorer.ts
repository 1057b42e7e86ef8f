import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { StateStore } from '../../accounts/state-store.js';
import type { Engine } from '../../engine/index.js';
import { type AnswerParts, createAnswerers } from './answerers.js';
import { Explorer } from '../../explorer/explorer.js';
import { InProcessQueue } from '../../explorer/work/in-process-queue.js';
import { RedisQueue } from '../../explorer/work/redis-queue.js';
import type { WorkQueue } from '../../explorer/work/work-queue.js';
import { databaseFile } from '../settings/database-location.js';
import type { Settings } from '../settings/settings.js';
import type { Warehouse } from '../warehouse.js';
import type { ExplorerOperationParts } from './explorer-operations.js';

export interface ExplorerComposition extends AnswerParts {
  readonly settings: Settings;
  readonly warehouse: Omit<Warehouse, 'close'>;
  readonly state: StateStore;
  readonly engine: Engine;
  readonly clock: () => Date;
  readonly systemClock: () => Date;
  readonly logger: Logger;
}

/** The explorer of a service. It does not work on questions before `start`. */
export interface ComposedExplorer {
  readonly parts: ExplorerOperationParts;
  start(): Promise<void>;
  /** Waits up to `drainMs` for the questions in progress. */
  close(drainMs: number): Promise<void>;
}

export async function composeExplorer(composition: ExplorerComposition): Promise<ComposedExplorer> {
  const { settings, warehouse, logger, engine, playground, state, clock, systemClock } = composition;
  const { answerer, generateQuestions } = await createAnswerers(composition);
  const queue = createQueue(settings, logger);
  const explorer = new Explorer({
    ...{ answerer, engine, playground, state, clock, systemClock, queue },
    database: warehouse.database,
    isOnlyProcess: databaseFile(settings) !== undefined,
    onFailure: (error, question) => logger.error({ err: error, question }, 'the explorer failed'),
  });
  // Without write access, there are no questions, and their operations answer 503.
  const isWritable = warehouse.state !== undefined;
  const staleAfterMs = settings.staleAfterHours * 3_600_000;
  return {
    parts: { explorer, answerer, engine, playground, generateQuestions, staleAfterMs, answerWaitMs: ANSWER_WAIT_MS },
    start: async () => (isWritable ? explorer.start() : undefined),
    close: (drainMs) => explorer.close(drainMs),
  };
}

/** How long `POST /explorer/answer/` waits for an answer. */
const ANSWER_WAIT_MS = 60_000;

function createQueue(settings: Settings, logger: Logger): WorkQueue {
  const { redisUrl: url } = settings;
  if (url === undefined) return new InProcessQueue();
  const onUnavailable = (reason: string) =>
    logger.error({ reason }, 'Redis is unavailable; this process works on its own questions until Redis is back');
  return new RedisQueue({ url, namespace: namespaceOf(settings), onUnavailable });
}

/** Identifies the database, without its account. */
function namespaceOf(settings: Settings): string {
  return createHash('sha256').update(placeOf(settings)).digest('hex').slice(0, 16);
}

function placeOf(settings: Settings): string {
  const file = databaseFile(settings);
  if (file !== undefined) return `${hostname()}:${resolve(file)}`;
  const { host, pathname } = new URL(settings.databaseUrl ?? '');
  return host + pathname;
}

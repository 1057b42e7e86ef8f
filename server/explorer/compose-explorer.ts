import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { readNewestData } from '../../explorer/answers/newest-data.js';
import { Explorer } from '../../explorer/explorer.js';
import type { Playground } from '../../explorer/playground/playground.js';
import type { Question } from '../../explorer/questions/question.js';
import { InProcessQueue } from '../../explorer/work/in-process-queue.js';
import type { WorkQueue } from '../../explorer/work/work-queue.js';
import { databaseFile } from '../settings/database-location.js';
import type { Settings } from '../settings/settings.js';
import { type AnswererParts, createAnswerers } from './answerers.js';
import type { ExplorerOperationParts } from './explorer-operations.js';

export interface ExplorerComposition extends AnswererParts {
  readonly playground: Playground;
  /** The clock for answers with data. The setting `NOW` can fix the time. */
  readonly clock: () => Date;
  readonly logger: Logger;
  /** Called with a question after this process has changed it. */
  readonly onChange?: (question: Question) => void;
}

/** Creates the explorer of a service. The explorer processes no questions until `start` is called. */
export async function composeExplorer(composition: ExplorerComposition): Promise<ExplorerOperationParts> {
  const { settings, database, logger, engine, playground, state, clock, systemClock, onChange } = composition;
  const { answerer, generateQuestions } = await createAnswerers(composition);
  const modelMs = settings.modelTimeoutSeconds * 1_000;
  const explorer = new Explorer({
    ...{ database, state, answerer, engine, playground, clock, systemClock, onChange },
    prepareMs: modelMs * MODEL_REQUESTS + DATABASE_MS,
    queue: await createQueue(settings, logger),
    newestData: (signal) => readNewestData(database, signal),
    isOnlyProcess: databaseFile(settings) !== undefined,
    onRejected: (cause, question) => logger.warn({ err: cause, question }, 'a question has no answer'),
    onFailure: (error, question) => logger.error({ err: error, question }, 'the explorer failed'),
  });
  const answerWaitMs = settings.modelUrl === undefined ? DATABASE_MS : modelMs + DATABASE_MS;
  const staleAfterMs = settings.staleAfterHours * 3_600_000;
  return { explorer, answerer, engine, playground, generateQuestions, staleAfterMs, answerWaitMs };
}

/** A question needs at most two requests to the model, and each request can wait for a free slot for as long as a request can take. */
const MODEL_REQUESTS = 4;
/** The time that an answer may use for the database, in addition to the time for the model. */
const DATABASE_MS = 60_000;

async function createQueue(settings: Settings, logger: Logger): Promise<WorkQueue> {
  const { redisUrl: url } = settings;
  if (url === undefined) return new InProcessQueue();
  const { RedisQueue } = await import('../../explorer/work/redis-queue.js');
  const onUnavailable = (reason: string) =>
    logger.error(
      { reason },
      'the shared queue of the explorer is unavailable; this process works on its own questions until it is back',
    );
  return new RedisQueue({ url, namespace: namespaceOf(settings), onUnavailable });
}

/** Returns an id of the database, which does not depend on the account. */
function namespaceOf(settings: Settings): string {
  return createHash('sha256').update(placeOf(settings)).digest('hex').slice(0, 16);
}

function placeOf(settings: Settings): string {
  const file = databaseFile(settings);
  if (file !== undefined) return `${hostname()}:${resolve(file)}`;
  const { host, pathname } = new URL(settings.databaseUrl ?? '');
  return host + pathname;
}

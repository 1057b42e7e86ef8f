import { join } from 'node:path';
import { SETTINGS } from '../../server/settings/settings.js';
import { type PrivateRedis, startRedis } from '../../test/services/redis.js';
import { startServer } from '../child.js';
import type { Figure } from '../measure.js';
import { captureHit, type StoredAnswer, storedHeader, writeAnswers } from './capture.js';
import { compareServers, notMeasured } from './compare.js';
import type { RowContext } from './context.js';
import { startService } from './service.js';

/** Clients with and without compression, because the service caches compressed answers separately. */
const CLIENTS = {
  gzip: { 'Accept-Encoding': 'gzip' },
  'without compression': {},
} as const;
const TARGET = 0.7;
/** The setting for the memory of cache level 1. With this value, level 1 is empty, so that every hit is read from Redis. */
const WITHOUT_LEVEL_1 = ['CACHE_MEMORY', '0'] as const;
/**
 * The number of different requests. The requests must differ, because concurrent requests for the same answer would share one read from
 * Redis, which the reference does not do.
 */
const PAGES = 100;

/** Measures hits in cache level 2 (Redis), compared with node:http and one GET of ioredis. */
export async function measureLevel2(context: RowContext): Promise<Figure[]> {
  const [setting, value] = WITHOUT_LEVEL_1;
  if (!Object.values(SETTINGS).some(({ name }) => name === setting)) {
    return [notMeasured(nameOf('gzip'), TARGET, `the service has no setting ${setting}`)];
  }
  const redis = await startRedis();
  try {
    const { folder, settings } = await context.embeddedDemo();
    const service = await startService(folder, { ...settings, REDIS_URL: redis.url, [setting]: value });
    try {
      const figures: Figure[] = [];
      for (const client of ['gzip', 'without compression'] as const) {
        figures.push(await compareWithRedis(context, redis, service, client));
      }
      return figures;
    } finally {
      await service.stop();
    }
  } finally {
    await redis.remove();
  }
}

async function compareWithRedis(
  { folder, log, isQuick }: RowContext,
  redis: PrivateRedis,
  service: { readonly url: string; readonly pid: number },
  client: keyof typeof CLIENTS,
): Promise<Figure> {
  const headers = CLIENTS[client];
  log(`storing ${PAGES} answers`);
  const paths = Array.from({ length: PAGES }, (_, index) => {
    return `/v1/repos/amber-ibex/reed-stack/issue_creators/?page_size=${index + 1}`;
  });
  const answers: Record<string, StoredAnswer> = {};
  for (const path of paths) answers[path] = await captureHit(service.url, path, headers);
  const [first] = Object.values(answers);
  const status = first === undefined ? undefined : storedHeader(first, 'Cache-Status');
  const file = join(folder, 'answers.json');
  await writeAnswers(file, answers);
  const bare = await startServer('references/redis-answer-server', [redis.url, file]);
  try {
    const comparison = { name: nameOf(client), target: TARGET, isQuick, note: `Cache-Status: ${status ?? 'absent'}` };
    return await compareServers(
      comparison,
      { ...service, headers, nextPath: cycle(paths) },
      { ...bare, nextPath: cycle(paths) },
    );
  } finally {
    await bare.stop();
  }
}

function nameOf(client: keyof typeof CLIENTS): string {
  return `level-2 hit / ioredis GET: ${client}`;
}

function cycle(paths: readonly string[]): () => string {
  let at = 0;
  return () => paths[at++ % paths.length] ?? '';
}

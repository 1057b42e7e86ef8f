import type { Logger } from 'pino';
import { type BrokenEndpoint, type Engine, formatProblems, MAX_LOOKED_UP_TEXTS } from '../../engine/index.js';
import { type Repeated, repeat } from './repeat.js';

const EVERY_MS = 60_000;
/** What is not looked up within this time does not delay the start: it is looked up later. */
const WITHIN_MS = 5_000;

/**
 * Logs which endpoints cannot be served and why. Looks their queries up in the database at the start, and every minute those that
 * it did not take or could not be asked about, so that a table made later or a database that was away needs no restart.
 */
export async function watchEndpoints(engine: Engine, logger: Logger): Promise<Repeated> {
  for (const broken of engine.broken()) logBroken(broken, logger);
  const reported = new Set<string>();
  const look = async () => {
    const { newlyBroken, repaired, truncated, remaining } = await engine.lookUp({ withinMs: WITHIN_MS });
    for (const broken of newlyBroken) logBroken(broken, logger);
    for (const endpoint of repaired)
      logger.info({ endpoint }, 'the database accepts the queries of this endpoint again');
    for (const endpoint of truncated.filter((name) => !reported.has(name))) {
      reported.add(endpoint);
      logger.warn({ endpoint }, `only ${MAX_LOOKED_UP_TEXTS} of its SQL texts were looked up in the database`);
    }
    if (remaining > 0)
      logger.warn({ remaining }, 'the queries of some endpoints are not looked up yet; they are served meanwhile');
  };
  const looks = repeat('looking up queries', EVERY_MS, look, logger);
  await looks.now();
  return looks;
}

function logBroken(broken: BrokenEndpoint, logger: Logger): void {
  const { name, path, file } = broken;
  logger.error(
    { endpoint: name, path, file, problems: formatProblems([broken]) },
    'this endpoint is broken: it answers 503',
  );
}

import { openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_PAGES } from '../../console/pages/next-pages.js';
import { MIN_COMPRESSED_BYTES } from '../../engine/http/cache/answer-body.js';
import { clockOf, readSystemTime } from '../../server/clock.js';
import { composeApplication } from '../../server/compose.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import { type Listening, listen } from '../../server/listening/listen.js';
import { createLog } from '../../server/logging/log.js';
import { QueryMetrics } from '../../server/metrics/request-metrics.js';
import { openEngine } from '../../server/open-engine.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { TIMEOUTS } from '../../server/settings/timeouts.js';
import { copyDemo, NOW } from '../service/demo-data.js';
import { JWT_SECRET } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { rawRequest } from '../service/raw-request.js';
import { eventually } from '../services/eventually.js';

/** The whole application, listening on a port, with counts of its requests. */
export interface DefinitionService extends Listening {
  /** Returns the number of requests that reached express. */
  readonly passed: () => number;
  /** Returns the parsed lines of the log. */
  readonly log: () => Record<string, unknown>[];
}

export async function startDefinitionService(
  environment: Readonly<Record<string, string>> = {},
): Promise<DefinitionService> {
  const folder = await mkdtemp(join(tmpdir(), 'repo-insight-test-'));
  const settings = readSettings({
    DATA_DIR: folder,
    PORT: '0',
    NOW,
    JWT_SECRET,
    ENDPOINTS_DIR: FEW_ENDPOINTS,
    ...environment,
  });
  await copyDemo(settings, { events: 500 });
  const warehouse = await openWarehouse(settings, { migrating: true });
  const engine = await openEngine(settings, warehouse.database, { versions: warehouse.versions });
  const logFile = join(folder, 'log');
  // The file descriptor stays open, because the log writes its last lines later.
  const fd = openSync(logFile, 'a');
  const logger = createLog({ logLevel: 'info' }, { fd, isReadable: false });
  const definitions = {
    state: () => ({ endpoints: engine.endpoints, broken: [], outdated: [], canaries: [], paused: new Map() }),
    reloads: { succeeded: 0, problems: 0, failed: 0 },
  };
  const pages = { state: () => NO_PAGES };
  const parts = {
    settings,
    warehouse,
    engine,
    definitions,
    pages,
    drain: { isReady: true },
    clock: clockOf(settings),
    systemClock: readSystemTime,
    logger,
    timeouts: TIMEOUTS,
    queries: new QueryMetrics(() => true, 0),
  };
  const application = await composeApplication(parts);
  const passed = countPassed(application.app);
  const listening = await listen(application.listener, settings);
  return {
    ...listening,
    passed,
    log: () => linesOf(readFileSync(logFile, 'utf8')),
    close: async () => {
      await listening.close();
      await application.close();
      await warehouse.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** A response as received. `headers` does not contain values that differ between requests. */
export interface RawResponse {
  readonly statusLine: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly volatile: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Returns the lines of a request that closes its connection. */
export function request(method: string, target: string, more: readonly string[] = []): string[] {
  return [`${method} ${target} HTTP/1.1`, 'Host: localhost', CLOSE, ...more];
}

const CLOSE = 'Connection: close';

/** Requests a target until its answer is cached in all encodings. */
export async function warm(service: Listening, target: string): Promise<void> {
  await eventually(async () => {
    const { headers, volatile } = await exchange(service, request('GET', target, ['Accept-Encoding: br']));
    const isSmall = Number(headers['content-length']) < MIN_COMPRESSED_BYTES;
    const hasForms = isSmall || headers.etag?.endsWith('-br"') === true;
    return hasForms && volatile['cache-status']?.includes('; hit') === true;
  });
}

/** Sends the bytes of a request that closes its connection, and reads its response. */
export async function exchange({ url }: Pick<Listening, 'url'>, lines: readonly string[]): Promise<RawResponse> {
  return parse(await rawRequest(url, `${lines.join('\r\n')}\r\n\r\n`));
}

/** Like `exchange`, but the connection stays open, so Node writes no headers for closing it. */
export async function exchangeKept({ url }: Pick<Listening, 'url'>, lines: readonly string[]): Promise<RawResponse> {
  const kept = lines.filter((line) => line !== CLOSE);
  const last = ['GET /v1 HTTP/1.1', 'Host: localhost', CLOSE];
  const text = await rawRequest(url, [...kept, '', ...last, '', ''].join('\r\n'));
  const { headers, ...response } = parse(text.slice(0, text.lastIndexOf('HTTP/1.1 404 ')));
  const { 'keep-alive': _, ...rest } = headers;
  return { ...response, headers: { ...rest, connection: 'close' } };
}

const VOLATILE = /^(?:date|x-request-id|x-ratelimit-remaining.*|age|cache-status|server-timing|x-data-confirmed)$/;

/** Splits the text of a response into its parts. */
export function parse(text: string): RawResponse {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const all = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const byStability = (isVolatile: boolean) =>
    Object.fromEntries(all.filter(([name]) => VOLATILE.test(name) === isVolatile).sort());
  return { statusLine, headers: byStability(false), volatile: byStability(true), body: text.slice(end + 4) };
}

/** Counts the requests that an express application handles. */
function countPassed(app: unknown): () => number {
  const handled = app as { handle: (...all: unknown[]) => unknown };
  const handle = handled.handle.bind(app);
  let count = 0;
  handled.handle = (...all) => {
    count += 1;
    return handle(...all);
  };
  return () => count;
}

function linesOf(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

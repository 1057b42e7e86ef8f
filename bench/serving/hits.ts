import { join } from 'node:path';
import { startServer } from '../child.js';
import type { Figure } from '../measure.js';
import { capture, captureHit, type StoredAnswer, storedHeader, writeAnswers } from './capture.js';
import { type Contestant, compareServers, notMeasured } from './compare.js';
import type { RowContext } from './context.js';
import { countLogged } from './logged-requests.js';
import { type Service, startService } from './service.js';

/** Requests with answers of different sizes: a list, a ranking and an aggregate. */
const PATHS = {
  list: '/v1/repos/amber-ibex/reed-stack/issue_creators/',
  ranking: '/v1/collections/1/ranking_by_stars/',
  countries: '/v1/repos/amber-ibex/reed-stack/stargazers/countries',
};
const GZIP = { 'Accept-Encoding': 'gzip' };

/** Measures cache hits, compared with node:http sending the same bytes and headers. */
export async function measureHits(context: RowContext): Promise<Figure[]> {
  return withService(context, async (service) => {
    const figures: Figure[] = [];
    for (const [title, path, headers] of [
      ['list', PATHS.list, {}],
      ['ranking', PATHS.ranking, {}],
      ['countries, gzip', PATHS.countries, GZIP],
    ] as const) {
      const answer = await captureHit(service.url, path, headers);
      const name = `hit / node:http: ${title}`;
      const comparison = { name, target: 0.7, isQuick: context.isQuick, note: noteOf(answer) };
      let sent = 0;
      const nextPath = () => {
        sent += 1;
        return path;
      };
      const compare = (bare: Contestant) => compareServers(comparison, { ...service, headers, nextPath }, bare);
      const figure = await againstStored(context, path, answer, compare);
      figures.push(withLogged(figure, (await countLogged(service.log, path)) / sent));
    }
    return figures;
  });
}

/** A request for the largest page that an operation allows. */
const LARGE = `${PATHS.list}?page_size=100`;

/**
 * Measures cache hits, compared with Fastify and row objects in memory. No answer is compressed, because Fastify does not compress by
 * default. The detail also states how much faster node:http is than Fastify, which is the upper limit of this figure.
 */
export async function measureAgainstFastify(context: RowContext): Promise<Figure[]> {
  return withService(context, async (service) => {
    const figures: Figure[] = [];
    for (const [title, path] of Object.entries({ ...PATHS, 'large list': LARGE })) {
      const answer = await captureHit(service.url, path);
      const comparison = { name: `hit / Fastify: ${title}`, target: 2, isQuick: context.isQuick, note: noteOf(answer) };
      const ours = { ...service, nextPath: () => path };
      const compare = async (fastify: Contestant) => {
        await requireEqualBodies(answer, await capture(fastify.url, path));
        const figure = await compareServers(comparison, ours, fastify);
        const limit = await againstStored(context, path, answer, (bare) => compareServers(comparison, bare, fastify));
        return withLimit(figure, limit.value);
      };
      figures.push(await againstStored(context, path, answer, compare, 'references/fastify-server'));
    }
    return figures;
  });
}

/** Adds the figure for node:http with stored bytes, which is the upper limit. */
function withLimit(figure: Figure, limit: number): Figure {
  const detail = `${figure.detail}; node:http with stored bytes reaches ${limit.toFixed(2)} ×`;
  return { ...figure, detail, measured: { ...figure.measured, nodeHttp: limit } };
}

/** Measures the rate of answers with status 304, for clients that have the current version, compared with node:http. */
export async function measureNotModified(context: RowContext): Promise<Figure[]> {
  const [name, target] = ['304 / node:http', 0.6];
  return withService(context, async (service) => {
    const path = PATHS.list;
    const etag = storedHeader(await captureHit(service.url, path), 'ETag');
    if (etag === undefined) return [notMeasured(name, target, 'the service sends no ETag')];
    const headers = { 'If-None-Match': etag };
    const answer = await capture(service.url, path, headers);
    if (answer.status !== 304) return [notMeasured(name, target, `the service answers ${answer.status}`)];
    const ours = { ...service, headers, nextPath: () => path, status: 304 };
    const compare = (bare: Contestant) =>
      compareServers({ name, target, isQuick: context.isQuick, note: noteOf(answer) }, ours, {
        ...bare,
        headers,
        status: 304,
      });
    return [await againstStored(context, path, answer, compare)];
  });
}

/** Adds the share of the requests that were written to the access log. */
function withLogged(figure: Figure, logged: number): Figure {
  const detail = `${figure.detail}; ${(logged * 100).toFixed(1)} % of the requests are in the log`;
  return { ...figure, detail, measured: { ...figure.measured, logged } };
}

async function withService(
  { embeddedDemo }: RowContext,
  work: (service: Service) => Promise<Figure[]>,
): Promise<Figure[]> {
  const { folder, settings } = await embeddedDemo();
  const service = await startService(folder, settings);
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

/** Compares the service with a reference server that sends one of its answers. */
async function againstStored(
  { folder, log }: RowContext,
  path: string,
  answer: StoredAnswer,
  compare: (reference: Contestant) => Promise<Figure>,
  child = 'references/stored-answer-server',
): Promise<Figure> {
  log(`comparing ${path} with ${child}`);
  const file = join(folder, 'answers.json');
  await writeAnswers(file, { [path]: answer });
  const server = await startServer(child, [file]);
  try {
    return await compare({ ...server, nextPath: () => path });
  } finally {
    await server.stop();
  }
}

async function requireEqualBodies(ours: StoredAnswer, reference: StoredAnswer): Promise<void> {
  const [expected, actual] = [ours, reference].map(({ body }) => JSON.stringify(JSON.parse(atob(body))));
  if (expected !== actual) throw new Error(`the reference answers ${actual?.slice(0, 500)}`);
}

function noteOf(answer: StoredAnswer): string {
  return `Cache-Status: ${storedHeader(answer, 'Cache-Status') ?? 'absent'}, ${storedHeader(answer, 'Content-Length') ?? 0} bytes`;
}

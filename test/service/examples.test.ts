import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { type Endpoint, rawFromValues } from '../../engine/index.js';
import type { Example } from '../../http/description/description.js';
import { EXAMPLES_FILE, type Examples } from '../../http/description/examples.js';
import { loadDefinitions } from '../../server/definitions.js';
import { operationsToDescribe } from '../../server/operations-to-describe.js';
import { type DemoService, startDemoService, tokenOf } from './demo-service.js';
import { addressOf, type ExampleRequest, exampleRequest } from './example-request.js';

describe('the examples of the description', () => {
  let demo: DemoService;
  let recorded: Record<string, Example[]>;
  before(async () => {
    demo = await startDemoService({}, EVENTS, AS_FIRST_STARTED);
    recorded = {};
    await demo.store.write((tables) =>
      tables.insertRows('osdb_repos', [[620363776, 'amber-ibex/reed-stack', 'Relational']]),
    );
    const authorization = { Authorization: `Bearer ${await tokenOf('octavia', OCTAVIA)}` };
    await demo.get('/repos/amber-ibex/reed-stack/subscribe/', { method: 'PUT', headers: authorization });
    for (const request of await requests()) {
      recorded[request.id] = [...(recorded[request.id] ?? []), await record(demo, request, authorization)];
    }
    if (process.env.UPDATE_EXAMPLES === '1') writeFileSync(EXAMPLES_FILE, `${JSON.stringify(recorded, null, 2)}\n`);
  });
  after(() => demo.close());

  it('are the answers of the demo data; UPDATE_EXAMPLES=1 records them again', () => {
    const kept = JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Examples;
    expect(withoutTimes(kept)).to.deep.equal(withoutTimes(recorded));
  });
});

/**
 * The numbers of repositories and people in the demo data that `serve` generates at its first start. `EVENTS` is
 * smaller.
 */
const AS_FIRST_STARTED = { repositories: 120, people: 20_000 };
const EVENTS = 20_000;
const OCTAVIA = { sub: 'host|100014862', name: 'Octavia', email: 'octavia@example.com', email_verified: true };
const MAX_ROWS = 3;
/** The operations that return the descriptions. */
const DOCUMENTS = new Set(['openapi', 'swagger']);

async function requests(): Promise<ExampleRequest[]> {
  const endpoints = await loadDefinitions({ endpointsDirectory: undefined });
  const operations = operationsToDescribe(endpoints).filter(({ id }) => !DOCUMENTS.has(id));
  return [...endpoints.flatMap(requestsOfEndpoint), ...operations.map(exampleRequest)];
}

/** One request by path for each example of the definition, and one request by name for its first example. */
function requestsOfEndpoint({ definition, parameters }: Endpoint): ExampleRequest[] {
  const common = { method: 'GET', isPersonal: false };
  const atPath = definition.examples.map(({ name, params }) => {
    const { path, query } = rawFromValues(parameters, params);
    return { ...common, id: definition.name, name, path: addressOf(definition.path ?? '', path, query) };
  });
  const byName = definition.examples.slice(0, 1).map(({ name, params }) => {
    const { path, query } = rawFromValues(parameters, params);
    const address = addressOf(`/q/${definition.name}`, {}, { ...path, ...query });
    return { ...common, id: `query-${definition.name}`, name, path: address };
  });
  return [...(definition.path === undefined ? [] : atPath), ...byName];
}

async function record(
  demo: DemoService,
  { name, method, path, isPersonal, body }: ExampleRequest,
  authorization: Readonly<Record<string, string>>,
): Promise<Example> {
  const headers = { 'Content-Type': 'application/json', ...(isPersonal ? authorization : {}) };
  const response = await demo.get(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.status, `${method} ${path}: ${text.slice(0, 300)}`).to.equal(200);
  const answer: unknown = JSON.parse(text);
  const total = rowsIn(answer)?.length ?? 0;
  rowsIn(answer)?.splice(MAX_ROWS);
  const note = total > MAX_ROWS ? { note: `The first ${MAX_ROWS} of ${total} rows.` } : {};
  return { name, request: `${method} ${path}`, ...note, answer };
}

function rowsIn(answer: unknown): unknown[] | undefined {
  if (Array.isArray(answer)) return answer;
  const { data } = answer as { data?: { rows?: unknown[] } | unknown[] };
  return Array.isArray(data) ? data : data?.rows;
}

/** Keys whose values differ between runs: times, durations and the texts of plans. */
const TIMES = new Set([
  ...['start_ms', 'end_ms', 'latency', 'computed_at', 'age_ms'],
  ...['requestedAt', 'finishedAt', 'expiresAt', 'spent', 'createdAt', 'subscribedAt'],
  'explain_value',
]);

function withoutTimes(examples: Examples): unknown {
  return JSON.parse(JSON.stringify(examples, (key, value: unknown) => (TIMES.has(key) ? 'a time' : value)));
}

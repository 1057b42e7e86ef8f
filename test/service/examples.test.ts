import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { QUESTION_PARAMETER } from '../../app-routes/explorer/question-parameter.js';
import { EXAMPLES_FILE, type Examples } from '../../engine/http/description/describe-service.js';
import type { Example } from '../../engine/http/description/description.js';
import { type Endpoint, rawFromValues } from '../../engine/index.js';
import { isFinal, type Status } from '../../explorer/questions/question.js';
import { describeOperations } from '../../server/describe-operations.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { eventually } from '../services/eventually.js';
import {
  createUsers,
  type DemoService,
  SYSTEM_TIME,
  startDemoService,
  tokenOf,
  waitForPlayground,
} from './demo-service.js';
import { addressOf, type ExampleRequest, exampleRequest } from './example-request.js';

describe('the examples of the description', () => {
  let demo: DemoService;
  let recorded: Record<string, Example[]>;
  before(async () => {
    demo = await startDemoService({}, { size: { events: EVENTS, ...AS_FIRST_STARTED } });
    recorded = {};
    await demo.store.write((tables) =>
      tables.insertRows('osdb_repos', [[620363776, 'amber-ibex/reed-stack', 'Relational']]),
    );
    const authorization = { Authorization: `Bearer ${await tokenOf('octavia', OCTAVIA)}` };
    await demo.get('/repos/amber-ibex/reed-stack/subscribe/', { method: 'PUT', headers: authorization });
    await prepareExplorer(demo, authorization);
    await waitForPlayground(demo);
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
/** Operations whose examples are not compared: they return the API descriptions, other text, pages, images, or the state of the process. */
const DOCUMENTS = new Set([
  ...['openapi', 'openapi-3-0', 'swagger', 'endpoint-svg', 'endpoint-png', 'badge', 'feed', 'robots', 'sitemap'],
  ...['console-operator', 'show-unsubscribe', 'unsubscribe-by-link'],
]);

async function requests(): Promise<ExampleRequest[]> {
  const endpoints = await loadDefinitions({ endpointsDirectory: undefined });
  const operations = describeOperations(endpoints).operations.filter(
    ({ id, statuses = [200] }) => !DOCUMENTS.has(id) && statuses.includes(200),
  );
  return [...endpoints.flatMap(requestsOfEndpoint), ...operations.map(exampleRequest)];
}

/** Returns one request by path for each example of the definition, and one request by name for its first example. */
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

/** Makes Octavia a trusted user, and asks a question, which gets the id that is used in the examples. */
async function prepareExplorer(demo: DemoService, headers: Readonly<Record<string, string>>): Promise<void> {
  const [user] = await createUsers(demo.database, demo.state).findByLogin('octavia');
  await createUsers(demo.database, demo.state).setTrusted(user?.id ?? 0, true, SYSTEM_TIME);
  const response = await demo.get('/explorer/answer/', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ question: 'Who opened the most issues in amber-ibex/reed-stack?' }),
  });
  const { question } = (await response.json()) as { question: { id: string } };
  const ids = [QUESTION_PARAMETER.questionId.example, question.id].map(String);
  await demo.state.transaction(async (tables) => {
    await tables.run('UPDATE explorer_questions SET id = :p1 WHERE id = :p2', ids);
    await tables.run('UPDATE explorer_popular_questions SET question_id = :p1 WHERE question_id = :p2', ids);
  });
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
  // After all questions have ended, the list of questions is the same in each run.
  if (path === '/explorer/questions/') await waitForEnd(demo, (answer as { id: string }).id);
  const total = rowsIn(answer)?.length ?? 0;
  rowsIn(answer)?.splice(MAX_ROWS);
  const note = total > MAX_ROWS ? { note: `The first ${MAX_ROWS} of ${total} rows.` } : {};
  return { name, request: `${method} ${path}`, ...note, answer };
}

async function waitForEnd(demo: DemoService, id: string): Promise<void> {
  await eventually(async () => {
    const { status } = (await (await demo.get(`/explorer/questions/${id}/`)).json()) as { status: Status };
    return isFinal(status);
  });
}

function rowsIn(answer: unknown): unknown[] | undefined {
  if (Array.isArray(answer)) return answer;
  const { data, result, questions } = answer as {
    readonly data?: { rows?: unknown[] } | unknown[];
    readonly result?: { rows: unknown[] } | null;
    readonly questions?: readonly { readonly result?: { rows: unknown[] } | null }[];
  };
  return Array.isArray(data) ? data : (data?.rows ?? result?.rows ?? questions?.[0]?.result?.rows);
}

/** Keys whose values differ between runs: times, durations, texts of plans, and cursors, which are signed with a secret. */
const TIMES = new Set([
  ...['start_ms', 'end_ms', 'latency', 'computed_at', 'age_ms'],
  ...[
    'requestedAt',
    'executedAt',
    'finishedAt',
    'expiresAt',
    'spent',
    'createdAt',
    'subscribedAt',
    'exportedAt',
    'now',
  ],
  ...['explain_value', 'next_cursor', 'nextCursor'],
]);

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function withoutTimes(examples: Examples): unknown {
  const text = JSON.stringify(examples, (key, value: unknown) => (TIMES.has(key) ? 'a time' : value));
  return JSON.parse(text.replaceAll(UUID, 'a UUID'));
}

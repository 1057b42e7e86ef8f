import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { signToken } from '../../accounts/identity/bearer-tokens.js';
import type { StateStore } from '../../accounts/state-store.js';
import { Users } from '../../accounts/users.js';
import type { Database } from '../../engine/index.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import { requireStore } from '../../server/databases/warehouse.js';
import { READ_ONLY_STATE } from '../../server/github-operations.js';
import { readRemovalSecret } from '../../server/identity/token-rules.js';
import { type Service, startService } from '../../server/service.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { TIMEOUTS, type Timeouts } from '../../server/settings/timeouts.js';
import type { Store } from '../../warehouse/store/store.js';
import { eventually, LIMIT_MS } from '../services/eventually.js';
import { closeAtEnd } from '../services/test-run.js';
import { type AnswerCheck, createAnswerCheck } from './answer-check.js';
import { copyDemo, DEMO_SIZE, type DemoSize, NOW } from './demo-data.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';

export const JWT_SECRET = 'a secret that only these tests know';

/** The system time of demo services, so that no token, session or question depends on the current date. */
export const SYSTEM_TIME = new Date(NOW);
/** The expiry time of all tokens in the tests. The time is far in the future, because services in other processes use the real time. */
export const END_OF_TOKENS = Date.parse('2100-01-01T00:00:00Z');

/**
 * Creates a token that a service with default settings and the test secret accepts. Without `claims`, it is a token of an ordinary user.
 */
export function tokenOf(login: string, claims: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const rules = { issuer: 'repo-insight', audience: 'repo-insight' };
  const seconds = (END_OF_TOKENS - SYSTEM_TIME.getTime()) / 1_000;
  const all = { sub: `host|${login}`, preferred_username: login, ...claims };
  return signToken(rules, JWT_SECRET, all, seconds, SYSTEM_TIME);
}

/** Returns the users of a database, with the secret from these settings, by default the secret of the tests. */
export function createUsers(
  database: Database,
  state: StateStore,
  environment: Readonly<Record<string, string>> = { JWT_SECRET },
): Users {
  return new Users(database, state, () => readRemovalSecret(readSettings(environment)));
}

export interface DemoService {
  readonly folder: string;
  readonly database: Database;
  readonly state: StateStore;
  readonly store: Store;
  /** Opens another playground database on the same data, to which a test can send SQL without the guard. */
  readonly openPlayground: () => Promise<Database>;
  readonly service: Service;
  /** The most starred repository, as `owner/name`. */
  readonly repository: string;
  /** The parsed lines of the service log. */
  readonly log: Record<string, unknown>[];
  /** Sends a request. Fails if the answer does not match the API description of the service, unless `init` has a signal. */
  get(path: string, init?: RequestInit): Promise<Response>;
  /** Like `get`, with the token of the user with this login. */
  as(login: string, path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/**
 * High limits that no suite reaches. Suites that test the limits set lower ones. The embedded database has one thread: the tables are so
 * small that a second thread makes no query faster but needs CPU time.
 */
const LIMITS = {
  DATABASE_THREADS: '1',
  PLAYGROUND_PER_MINUTE: '0',
  RATE_LIMIT_PER_HOUR: '1000000',
  RATE_LIMIT_PER_MINUTE: '1000000',
  CALLER_LIMIT_PER_MINUTE: '0',
};

/** The time limit of a change is so long that no test reaches it, even if the machine stalls for a while. */
export const PATIENT = { migrating: true, stateMs: LIMIT_MS } as const;

export interface DemoServiceOptions {
  readonly size?: DemoSize;
  readonly timeouts?: Partial<Timeouts>;
  /** The time limit of a change of accounts and questions. By default, it is so long that it is never reached. */
  readonly stateMs?: number;
  readonly createLogger?: (lines: Record<string, unknown>[]) => Logger;
  /** The clock for tokens and sessions. */
  readonly systemClock?: () => Date;
  /** Changes the data before the service starts, so that its first copy of the tables already contains the changes. */
  readonly prepare?: (store: Store) => Promise<unknown>;
}

/** Starts a service with small demo data in a separate folder, on a free port. */
export async function startDemoService(
  environment: Readonly<Record<string, string>> = {},
  options: DemoServiceOptions = {},
): Promise<DemoService> {
  const {
    size = DEMO_SIZE,
    timeouts,
    stateMs,
    createLogger = logInto,
    systemClock = () => SYSTEM_TIME,
    prepare,
  } = options;
  const folder = await mkdtemp(join(tmpdir(), 'repo-insight-test-'));
  const settings = readSettings({ DATA_DIR: folder, PORT: '0', NOW, JWT_SECRET, ...LIMITS, ...environment });
  await copyDemo(settings, size);
  const warehouse = await openWarehouse(settings, stateMs === undefined ? PATIENT : { ...PATIENT, stateMs });
  await prepare?.(requireStore(warehouse));
  const log: Record<string, unknown>[] = [];
  // When a test closes a service, its clients have no requests on their way, so no drain is needed.
  const limits = { ...TIMEOUTS, drainMs: 0, metadataMs: LIMIT_MS, ...timeouts };
  const service = await startService(settings, warehouse, createLogger(log), limits, { systemClock });
  const get = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(service.url + path, init);
    // If the request has a signal, the body may end early, so the answer is not checked.
    if (init.signal == null) {
      await requireDescribed(await checkOf(service, environment), path, init.method ?? 'GET', response.clone());
    }
    return response;
  };
  return {
    folder,
    database: warehouse.database,
    store: requireStore(warehouse),
    openPlayground: warehouse.openPlayground,
    state: warehouse.state ?? READ_ONLY_STATE,
    service,
    repository: await mostStarred(warehouse.database),
    log,
    get,
    as: async (login, path, init = {}) => {
      const headers = { ...init.headers, Authorization: `Bearer ${await tokenOf(login)}` };
      return get(path, { ...init, headers });
    },
    close: async () => {
      await service.close();
      await warehouse.close();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * Returns the demo service with default settings that the suites of a process share. Suites must only read from it: they must not create
 * users, questions or imports, or count requests or log lines.
 */
export const useSharedDemo = shareDemo(() => startDemoService());

/** Returns a function with which suites use one service of their process, which the first of them starts. */
export function shareDemo(start: () => Promise<DemoService>): () => { readonly demo: DemoService } {
  let shared: Promise<DemoService> | undefined;
  closeAtEnd(async () => (await shared)?.close());
  return () => {
    let demo: DemoService | undefined;
    before(async () => {
      shared ??= start();
      demo = await shared;
    });
    return {
      get demo() {
        if (demo === undefined) throw new Error('The service is available in tests and hooks only.');
        return demo;
      },
    };
  };
}

/** Waits until the playground has its copy of the tables. On a busy machine, copying takes longer than a query waits for the copy. */
export async function waitForPlayground({ service }: Pick<DemoService, 'service'>): Promise<void> {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"sql":"SELECT 1"}' };
  await eventually(async () => (await fetch(`${service.url}/q/playground/`, init)).status === 200);
}

/** Services with the same settings have the same API description, unless the suite writes their definitions. */
function checkOf({ url }: Service, environment: Readonly<Record<string, string>>): Promise<AnswerCheck> {
  const {
    ENDPOINTS_DIR: folders = '',
    PUBLIC_URL: publicUrl,
    OIDC_CLIENT_ID: client,
    JWT_ISSUER: issuer,
  } = environment;
  const key = ['', FEW_ENDPOINTS].includes(folders) ? JSON.stringify([folders, publicUrl, client, issuer]) : url;
  const known =
    checks.get(key) ?? fetch(`${url}/openapi.json`).then(async (response) => createAnswerCheck(await response.text()));
  checks.set(key, known);
  return known;
}

const checks = new Map<string, Promise<AnswerCheck>>();

async function requireDescribed(check: AnswerCheck, path: string, method: string, response: Response): Promise<void> {
  const { status, headers } = response;
  const body = await response.text();
  const difference = check({ method, path, status, header: (name) => headers.get(name), body });
  if (difference !== undefined) throw new Error(difference);
}

async function mostStarred(database: Database): Promise<string> {
  const query = database.prepare(
    'SELECT r.repo_name FROM github_repos r JOIN mv_repo_totals t ON t.repo_id = r.repo_id ORDER BY t.stars DESC LIMIT 1',
  );
  const { rows } = await database.query(query, [], { maxRows: 1, timeoutMs: 5_000 });
  return String(rows[0]?.[0]);
}

function logInto(lines: Record<string, unknown>[]): Logger {
  return pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
}

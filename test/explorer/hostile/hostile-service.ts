import { randomUUID } from 'node:crypto';
import { Sessions } from '../../../accounts/sessions.js';
import { isFinal, type Question } from '../../../explorer/questions/question.js';
import { NOW } from '../../service/demo-data.js';
import {
  createUsers,
  type DemoService,
  type DemoServiceOptions,
  startDemoService,
  tokenOf,
} from '../../service/demo-service.js';
import { type ModelServer, type ModelServerOptions, startModelServer } from '../model-server.js';
import { untilPlaygroundIsReady } from '../service/explorer-service.js';
import { seedQuestion } from '../social/explorer-app.js';
import { contentOf, type TableContents } from './table-contents.js';

/** Values of private tables and columns. The values must never occur in anything that the service sends or logs. */
export const PRIVATE_VALUES = {
  email: 'private.email@victim.example',
  profileEmail: 'profile.email@victim.example',
  session: 'private-session-of-victim',
  audit: 'private-audit-of-victim',
  question: 'private question of the victim',
  key: 'sk-model-key-0123456789-private',
} as const;

export interface HostileService {
  readonly demo: DemoService;
  /** The scripted model; undefined if no model is configured. */
  readonly model: ModelServer | undefined;
  /** Sends a request body with the token of a trusted user: an object as JSON, or a text unchanged. */
  post(user: number, path: string, body: unknown): Promise<Received>;
  /** Asks a question and waits until it is final. */
  ask(user: number, question: string): Promise<Question>;
  /** Waits until the question is final. */
  end(id: string): Promise<Question>;
  /** Returns the content of all tables that a question must not change. */
  contents(): Promise<TableContents>;
  /** Returns all texts that the service has sent or stored: answers, stored questions, log lines and prompts. */
  texts(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The number of users. Each can have two questions in progress. */
export const USERS = 4;
/** Limits that these tests never reach. Questions are kept, because their times are those of the tests. */
const LIMITS = {
  MODEL_TOKENS_PER_DAY: '0',
  MODEL_TIMEOUT_SECONDS: '600',
  EXPLORER_KEEP_DAYS: '0',
  PLAYGROUND_SECONDS: '600',
};

export interface HostileServiceOptions extends Pick<DemoServiceOptions, 'prepare'> {
  /** The scripted model. By default, no model is configured. */
  readonly model?: ModelServerOptions;
}

/** Starts a service with private data. */
export async function startHostileService(
  environment: Readonly<Record<string, string>>,
  { model: modelOptions, prepare }: HostileServiceOptions,
): Promise<HostileService> {
  const model = modelOptions && (await startModelServer(modelOptions));
  const settings = model && { MODEL_URL: model.url, MODEL_NAME: 'scripted', MODEL_KEY: PRIVATE_VALUES.key };
  const demo = await startDemoService({ ...environment, ...settings, ...LIMITS }, { ...(prepare && { prepare }) });
  await untilPlaygroundIsReady(demo);
  // While the playground copies its tables on a busy machine, it rejects queries.
  demo.log.length = 0;
  await seedPrivateData(demo);
  for (let user = 0; user < USERS; user += 1) await createTrusted(demo, loginOf(user));
  const tokens = await Promise.all(Array.from({ length: USERS }, (_, user) => tokenOf(loginOf(user))));
  const headersOf = (user: number) => ({ Authorization: `Bearer ${tokens[user % USERS]}` });
  const answers: string[] = [];
  const receive = async (response: Response): Promise<Received> => {
    const { status, headers } = response;
    const text = Buffer.from(await response.arrayBuffer()).toString();
    answers.push(text, JSON.stringify([...headers]));
    return { status, headers, text };
  };
  const post: HostileService['post'] = async (user, path, body) => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headersOf(user) } };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return receive(await demo.get(path, { ...init, body: text }));
  };
  const end: HostileService['end'] = async (id) => {
    const stream = await receive(
      await demo.get(`/explorer/questions/${id}/`, { headers: { Accept: 'text/event-stream', ...headersOf(0) } }),
    );
    // The last event is the final record.
    const [, last = '{}'] = /^data: (.*)\n+$/m.exec(stream.text.slice(stream.text.lastIndexOf('\ndata: ') + 1)) ?? [];
    const question = JSON.parse(last) as Question;
    if (!isFinal(question.status)) throw new Error(`The question ${id} did not end.`);
    return question;
  };
  return {
    demo,
    model,
    post,
    end,
    ask: async (user, question) => {
      const { status, text } = await post(user, '/explorer/questions/', { question, ignoreCache: true });
      if (status !== 200) throw new Error(`The question was not accepted: ${status} ${text}`);
      return end((JSON.parse(text) as Question).id);
    },
    contents: () => contentOf(demo),
    texts: async () => [...answers, ...(await storedTexts(demo)), JSON.stringify(demo.log), ...promptsOf(model)],
    close: async () => {
      await demo.close();
      await model?.close();
    },
  };
}

/** Returns the private values that occur in these texts. */
export function privateValuesIn(texts: readonly string[]): string[] {
  const values = Object.values(PRIVATE_VALUES);
  return [...new Set(texts.flatMap((text) => values.filter((value) => text.includes(value))))];
}

/** Returns the log lines of failures, except those of the model and of aborted queries. */
export function failuresIn({ demo }: HostileService): string {
  const failures = demo.log.filter(({ level, err }) => Number(level) >= 50 && !EXPECTED_FAILURES.has(typeOf(err)));
  return failures.map((line) => JSON.stringify(line).slice(0, 1_000)).join('\n');
}

const EXPECTED_FAILURES = new Set(['ModelError', 'SqlFailedError', 'EngineError']);

function typeOf(error: unknown): string {
  return (error as { readonly type?: string } | undefined)?.type ?? '';
}

function loginOf(user: number): string {
  return `hostile-${user % USERS}`;
}

async function createTrusted({ as, database, state }: DemoService, login: string): Promise<void> {
  await as(login, '/user/');
  const users = createUsers(database, state);
  const [{ id } = { id: 0 }] = await users.findByLogin(login);
  await users.setTrusted(id, true, new Date(NOW));
}

async function seedPrivateData({ database, state }: DemoService): Promise<void> {
  const { email, profileEmail, session, audit, question } = PRIVATE_VALUES;
  const now = new Date(NOW);
  const account = { provider: 'test', accountId: 'victim', login: 'victim', name: 'Victim', email, avatarUrl: '' };
  const victim = await createUsers(database, state).signIn({ ...account, profileAt: now }, now);
  const expiresAt = new Date('2999-01-01T00:00:00Z');
  const data = JSON.stringify({ begunAt: now.toISOString(), secret: session });
  await new Sessions(database, state).add(session, { userId: victim.id, data, expiresAt }, now);
  await seedQuestion(state, { userId: victim.id, title: question, createdAt: now, finishedAt: now });
  await state.transaction(async (tables) => {
    await tables.run(
      `INSERT INTO sys_audit_log (id, happened_at, actor, action, subject, detail)
       VALUES (:p1, '2026-01-01 00:00:00', 'victim', 'test', 'victim', :p2)`,
      [randomUUID(), audit],
    );
    await tables.run('UPDATE github_users SET email = :p1', [profileEmail]);
  });
}

/** Returns the stored questions of these tests as text. */
async function storedTexts({ state }: DemoService): Promise<string[]> {
  const rows = await state.transaction((tables) =>
    tables.rows(
      "SELECT title, record, result FROM explorer_questions WHERE user_id <> (SELECT user_id FROM sys_accounts WHERE login = 'victim')",
    ),
  );
  return rows.map((row) => row.join('\n'));
}

/** Returns everything that the model received. The key is only allowed in the headers. */
function promptsOf(model: ModelServer | undefined): string[] {
  const received = [...(model?.requests ?? []), ...(model?.rejected ?? [])];
  return received.map(({ path, body, messages }) => JSON.stringify({ path, body, messages }));
}

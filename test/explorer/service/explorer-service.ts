import { expect } from 'chai';
import type { questionBody } from '../../../app-routes/explorer/question-parameter.js';
import { isFinal, type Status } from '../../../explorer/questions/question.js';
import { NOW } from '../../service/demo-data.js';
import { createUsers, type DemoService, startDemoService } from '../../service/demo-service.js';
import { eventually } from '../../services/eventually.js';
import { type ModelServer, startModelServer } from '../model-server.js';

/** A question, as in answers of the service. */
export type QuestionRecord = ReturnType<typeof questionBody>;

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  // The type of the body is not needed, because each test compares the whole body.
  readonly body: unknown;
}

/** A service with a scripted language model. */
export interface ExplorerService {
  readonly demo: DemoService;
  readonly model: ModelServer;
  /** Sends a request with the token of a user, or without a token. Fails if the answer does not match its API description. */
  send(
    login: string | undefined,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Received>;
  /** Asks a question and returns its first record. */
  ask(login: string, question: string, ignoreCache?: boolean): Promise<QuestionRecord>;
  read(id: string): Promise<QuestionRecord>;
  /** Waits until a question has this status. Fails if it ends with another status. */
  waitFor(id: string, status: Status): Promise<QuestionRecord>;
  /** Waits until a question has its final status. */
  waitForEnd(id: string): Promise<QuestionRecord>;
  trust(login: string): Promise<void>;
  /** Returns the login by which the service knows a user of these tests. */
  loginOf(login: string): string;
  close(): Promise<void>;
}

/**
 * Starts one service for the calling suite. The returned function returns the service for one part of the suite. Each part has separate
 * users, and must not leave questions in progress.
 */
export function useExplorerService(environment: () => Record<string, string>): (part: string) => ExplorerService {
  let started: ExplorerService | undefined;
  before(async () => {
    started = await startExplorerService(environment());
  });
  after(() => started?.close());
  const service = () => {
    if (started === undefined) throw new Error('The service is available in tests and hooks only.');
    return started;
  };
  return (part) => {
    const loginOf = (login: string) => `${part}-${login}`;
    return {
      get demo() {
        return service().demo;
      },
      get model() {
        return service().model;
      },
      send: (login, ...request) => service().send(login && loginOf(login), ...request),
      ask: (login, ...question) => service().ask(loginOf(login), ...question),
      read: (id) => service().read(id),
      waitFor: (id, status) => service().waitFor(id, status),
      waitForEnd: (id) => service().waitForEnd(id),
      trust: (login) => service().trust(loginOf(login)),
      loginOf,
      close: async () => {
        const ending = service();
        started = undefined;
        await ending.close();
      },
    };
  };
}

/** Starts the service. The time limits for its model and its queries are so long that no test reaches them. */
export async function startExplorerService(environment: Readonly<Record<string, string>>): Promise<ExplorerService> {
  const model = await startModelServer();
  const limits = { MODEL_TIMEOUT_SECONDS: '600', MODEL_TOKENS_PER_DAY: '0', PLAYGROUND_SECONDS: '600' };
  const settings = { MODEL_URL: model.url, MODEL_NAME: 'tester', ...limits, ...environment };
  const started = await startDemoService(settings);
  await untilPlaygroundIsReady(started);
  let closed: Promise<void> | undefined;
  // A test may stop the service before the end of its suite.
  const demo = {
    ...started,
    close: () => {
      closed ??= started.close();
      return closed;
    },
  };
  const send: ExplorerService['send'] = async (login, method, path, body, headers = {}) => {
    const json = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const init = {
      method,
      headers: { ...json, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const response = login === undefined ? await demo.get(path, init) : await demo.as(login, path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  const read = async (id: string) => {
    const { status, body } = await send(undefined, 'GET', pathOf(id));
    expect(status).to.equal(200);
    return body as QuestionRecord;
  };
  const waitUntil = async (id: string, isReached: (status: Status) => boolean) => {
    let record = await read(id);
    await eventually(async () => {
      record = await read(id);
      return isReached(record.status) || isFinal(record.status);
    });
    return record;
  };
  return {
    demo,
    model,
    send,
    ask: async (login, question, ignoreCache = false) => {
      const { status, body } = await send(login, 'POST', '/explorer/questions/', { question, ignoreCache });
      expect(status, JSON.stringify(body)).to.equal(200);
      return body as QuestionRecord;
    },
    read,
    waitFor: async (id, status) => {
      const record = await waitUntil(id, (reached) => reached === status);
      expect(record.status, record.error ?? '').to.equal(status);
      return record;
    },
    waitForEnd: (id) => waitUntil(id, () => false),
    trust: async (login) => {
      const users = createUsers(demo.database, demo.state);
      await send(login, 'GET', '/user/');
      const [user] = await users.findByLogin(login);
      await users.setTrusted(user?.id ?? 0, true, new Date(NOW));
    },
    loginOf: (login) => login,
    close: async () => {
      // When the service stops, it waits for answers of the model.
      model.release();
      await demo.close();
      await model.close();
    },
  };
}

export function pathOf(id: string): string {
  return `/explorer/questions/${id}/`;
}

/** Returns a question that no definition answers. Different details make different questions. */
export function modelQuestion(detail: string): string {
  return `What is the average length of a login among all pushers on weekends, ${detail}?`;
}

/** Returns an answer of the model with this SQL. */
export function writesSql(sql: string, chart: unknown = null) {
  return { answer: { revisedTitle: 'The understood question', sqlCanAnswer: true, sql, chart } };
}

/** A query for the number of events. */
export const COUNT = 'SELECT COUNT(*) AS events FROM github_events';

/** A query in the expensive queue, which runs longer than any test waits. */
export const SLOW =
  "SELECT COUNT(*) AS pairs FROM github_events a JOIN github_events b ON a.id <> b.id WHERE MD5(CONCAT(a.id, b.id)) LIKE 'zz%'";

/** Resolves when the playground of a service can run queries. Before queries can run, the embedded database must copy its tables. */
export async function untilPlaygroundIsReady({ service }: Pick<DemoService, 'service'>): Promise<void> {
  await eventually(async () => {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ sql: COUNT }),
    };
    return (await fetch(`${service.url}/q/playground/`, init)).status === 200;
  });
}

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express, { type RequestHandler } from 'express';
import { createTokenReader, signToken } from '../../../accounts/identity/bearer-tokens.js';
import type { StateStore } from '../../../accounts/state-store.js';
import type { User, Users } from '../../../accounts/users.js';
import { createIdentify } from '../../../app-routes/sign-in/identify.js';
import { userOperations } from '../../../app-routes/user.js';
import { writeDocuments } from '../../../engine/http/description/formats/documents.js';
import { createRateLimits } from '../../../engine/http/limits/request-limits.js';
import { mount } from '../../../engine/http/operations/mount.js';
import type { Operation } from '../../../engine/http/operations/operation.js';
import { errorAnswers } from '../../../engine/http/problems/error-answers.js';
import { recordOf } from '../../../engine/http/request-record.js';
import { type BoundValue, type Database, sqlTime } from '../../../engine/index.js';
import type { ErrorType } from '../../../explorer/questions/error-types.js';
import { NO_DETAILS, NO_PROGRESS, writeRecord } from '../../../explorer/questions/question-row.js';
import { foldQuestion, hashText } from '../../../explorer/questions/question-text.js';
import { openWarehouse } from '../../../server/databases/open-database.js';
import { readSettings } from '../../../server/settings/read-settings.js';
import { type AnswerCheck, createAnswerCheck } from '../../service/answer-check.js';
import { copyEmptyFile, copyEmptyTables } from '../../service/demo-data.js';
import { createUsers, JWT_SECRET } from '../../service/demo-service.js';

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  // The type of the body is not needed, because each test compares the whole body.
  readonly body: unknown;
}

/** A small service with some operations of the explorer, on an empty database. */
export interface ExplorerApp {
  readonly database: Database;
  readonly state: StateStore;
  readonly users: Users;
  /** The causes of 5xx answers. */
  readonly failures: unknown[];
  /** Sets the current time for the following requests. */
  setNow(now: Date): void;
  /** Sends a request with the token of a user, or without a token. Fails if the answer does not match its API description. */
  ask(login: string | undefined, method: string, path: string, body?: unknown): Promise<Received>;
  /** Like `ask`, with raw bytes as the body. */
  askRaw(login: string, method: string, path: string, body: string): Promise<Received>;
  /** Signs a user in for the first time. */
  user(login: string, isTrusted?: boolean): Promise<User>;
  close(): Promise<void>;
}

export const NOON = new Date('2026-06-30T12:00:00Z');

export async function startExplorerApp(
  environment: Readonly<Record<string, string>>,
  operationsOf: (database: Database, state: StateStore) => readonly Operation[],
): Promise<ExplorerApp> {
  const folder = await mkdtemp(join(tmpdir(), 'repo-insight-test-'));
  const settings = readSettings({ DATA_DIR: folder, JWT_SECRET, CALLER_LIMIT_PER_MINUTE: '0', ...environment });
  if (settings.databaseUrl === undefined) await copyEmptyFile(join(folder, 'repo-insight.duckdb'));
  else await copyEmptyTables(settings.databaseUrl);
  const warehouse = await openWarehouse(settings, { migrating: true });
  const { database, state } = warehouse;
  if (state === undefined) throw new Error('There is no state.');
  const users = createUsers(database, state);
  const failures: unknown[] = [];
  let now = NOON;
  const { operations, openApi } = writeDocuments({ endpoints: [], generation: 0 }, [
    ...userOperations(users),
    ...operationsOf(database, state),
  ]);
  const rules = { issuer: 'repo-insight', audience: 'repo-insight' };
  const routes = mount(operations, {
    identify: createIdentify({
      users,
      readToken: createTokenReader({ ...rules, clockSkew: 0, keys: { secret: JWT_SECRET } }),
    }),
    clock: () => now,
    authenticate: async () => undefined,
    rateLimits: createRateLimits(settings),
    bodyLimit: '100kb',
  });
  const server = createServer(
    express().use(
      withLog(failures),
      routes,
      errorAnswers(() => now),
    ),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const check = createAnswerCheck(JSON.stringify(openApi()));
  const tokenOf = (login: string) =>
    signToken(rules, JWT_SECRET, { sub: `host|${login}`, preferred_username: login }, 600, now);
  const askRaw = async (login: string | undefined, method: string, path: string, body?: string) => {
    const headers = {
      ...(login === undefined ? {} : { Authorization: `Bearer ${await tokenOf(login)}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
    return describedAnswer(check, method, path, response);
  };
  const ask: ExplorerApp['ask'] = (login, method, path, body) =>
    askRaw(login, method, path, body === undefined ? undefined : JSON.stringify(body));
  return {
    database,
    state,
    users,
    failures,
    setNow: (time) => {
      now = time;
    },
    ask,
    askRaw,
    user: async (login, isTrusted = false) => {
      await ask(login, 'GET', '/user/');
      const [{ id = 0 } = {}] = await users.findByLogin(login);
      if (isTrusted) await users.setTrusted(id, true, now);
      return (await users.findById(id)) as User;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await warehouse.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** A question to store. Missing members have the values of an answered question. */
export interface SeededQuestion {
  readonly userId: number;
  readonly title?: string;
  readonly status?: string;
  readonly createdAt?: Date;
  readonly finishedAt?: Date | null;
  readonly errorType?: ErrorType;
  readonly recommended?: boolean;
  /** The number of users who asked it. If absent, it is not counted. */
  readonly asked?: number;
  readonly tags?: readonly number[];
}

/** Stores a question without processing it. Returns its id. */
export async function seedQuestion(state: StateStore, question: SeededQuestion): Promise<string> {
  const { userId, title = 'How many stars?', status = 'success', createdAt = NOON, finishedAt = NOON } = question;
  const id = randomUUID();
  const hash = hashText(foldQuestion(title));
  await state.transaction(async (tables) => {
    await tables.run(
      `INSERT INTO explorer_questions
         (id, hash, user_id, status, title, record, result, lane, place, recommended, created_at, finished_at)
       VALUES (:p1, :p2, :p3, :p4, :p5, :p6, :p10, 'cheap', 1, :p7, :p8, :p9)`,
      [
        ...[id, hash, userId, status, title, storedRecord(question.errorType ?? null, createdAt)],
        ...[Number(question.recommended ?? false), sqlTime(createdAt), finishedAt && sqlTime(finishedAt), NO_ROWS],
      ],
    );
    for (const tag of question.tags ?? []) {
      await tables.run('INSERT INTO explorer_question_tags (question_id, tag_id) VALUES (:p1, :p2)', [id, tag]);
    }
    if (question.asked === undefined) return;
    await tables.run('DELETE FROM explorer_popular_questions WHERE hash = :p1', [hash]);
    const popular = 'INSERT INTO explorer_popular_questions (hash, question_id, asked) VALUES (:p1, :p2, :p3)';
    await tables.run(popular, [hash, id, question.asked]);
  });
  return id;
}

const NO_ROWS = '{"fields":[],"rows":[],"truncated":false,"notices":[],"dataAsOf":null,"sentence":"No rows."}';

/** Inserts rows with one statement, which is much faster than one statement per row. */
export async function insertRows(
  state: StateStore,
  into: string,
  rows: readonly (readonly BoundValue[])[],
): Promise<void> {
  let markers = 0;
  const lists = rows.map((row) => `(${row.map(() => `:p${++markers}`).join(', ')})`);
  await state.transaction((tables) => tables.run(`INSERT INTO ${into} VALUES ${lists.join(', ')}`, rows.flat()));
}

/** Returns the cells of a SELECT as text. */
export async function cellsOf(state: StateStore, select: string, values: readonly BoundValue[] = []) {
  const rows = await state.transaction((tables) => tables.rows(select, values));
  return rows.map((row) => row.map(String));
}

/** Returns the audit log entries of the explorer, without times. */
export function changesOf(state: StateStore): Promise<string[][]> {
  return cellsOf(
    state,
    `SELECT actor, action, subject, detail FROM sys_audit_log
     WHERE action NOT IN ('sign-up', 'trust', 'remove') ORDER BY happened_at, id`,
  );
}

export const EXPLORER_TABLES = [
  'explorer_questions',
  'explorer_popular_questions',
  'explorer_generated_questions',
  'explorer_question_tags',
  'explorer_feedback',
  'explorer_sql_quotas',
  'explorer_model_tokens',
];

/** Deletes everything that earlier tests have stored. */
export async function clearExplorer({ state }: ExplorerApp): Promise<void> {
  await state.transaction(async (tables) => {
    for (const table of [...EXPLORER_TABLES, 'sys_audit_log']) await tables.run(`DELETE FROM ${table}`);
  });
}

function withLog(failures: unknown[]): RequestHandler {
  return (request, response, next) => {
    request.headers['x-request-id'] = 'test';
    const record = recordOf(response);
    response.once('finish', () => {
      if (record.failure !== undefined) failures.push(record.failure);
    });
    next();
  };
}

async function describedAnswer(
  check: AnswerCheck,
  method: string,
  path: string,
  response: Response,
): Promise<Received> {
  const { status, headers } = response;
  const body = await response.text();
  // This small service has no middleware that adds the request id, so it is added here.
  const header = (name: string) => (name.toLowerCase() === 'x-request-id' ? 'test' : headers.get(name));
  const difference = check({ method, path, status, header, body });
  if (difference !== undefined) throw new Error(difference);
  return { status, headers, body: JSON.parse(body) as unknown };
}

function storedRecord(errorType: ErrorType | null, createdAt: Date): string {
  const columns = { id: '', hash: '', userId: 0, status: 'new', title: '', lane: null, result: null } as const;
  const flags = { recommended: false, hitCache: false, createdAt: createdAt.toISOString() };
  return writeRecord({ ...NO_DETAILS, ...columns, ...flags, errorType }, NO_PROGRESS);
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readSettings } from '../../server/settings/read-settings.js';
import { listening, start, stopAll } from '../cli/command-line.js';
import { ENDLESS_SQL } from '../explorer/explorer-warehouse.js';
import { type ModelServer, startModelServer } from '../explorer/model-server.js';
import { copyDemo, NOW } from '../service/demo-data.js';
import { JWT_SECRET, tokenOf } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { eventually } from '../services/eventually.js';
import { onBothDatabases } from '../services/mysql.js';
import { describeExceptOnTidb, IS_TIDB } from '../services/server.js';
import { followToEnd, type QuestionRecord } from './questions/question-storm.js';
import { answerOf, sqlOf } from './questions/storm-model.js';
import { record } from './report.js';

/** A query that is expensive by its estimate, but ends after the first combination. */
const EXPENSIVE_SQL = 'SELECT a.id AS first_id FROM github_events a JOIN github_events b ON b.id <> a.id LIMIT 1';

const TITLE = 'questions of a stopped process';
if (IS_TIDB) describeExceptOnTidb('its estimate of the slow query is above the limit', TITLE, () => undefined);
else onBothDatabases(TITLE, stoppedProcess);

function stoppedProcess(environment: () => Record<string, string>): void {
  let folder: string;
  let model: ModelServer;
  let isStalling: boolean;
  let users = 0;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-killed-'));
    await copyDemo(readSettings({ DATA_DIR: folder, ...environment() }), { events: 1_000 });
    isStalling = true;
    model = await startModelServer({
      otherwise: ({ prompt }) => {
        const [question = '', kind] = /(\w+) \d+ zzq/.exec(prompt) ?? [];
        const isRepair = prompt.includes('broken_column');
        if (isStalling && (kind === 'stalling' || isRepair)) return { stall: 'before-headers' };
        if (kind === 'slow') return { answer: answerOf(question, ENDLESS_SQL) };
        if (kind === 'expensive') return { answer: answerOf(question, EXPENSIVE_SQL) };
        if (kind === 'broken' && !isRepair)
          return { answer: answerOf(question, 'SELECT broken_column FROM github_repos') };
        return { answer: answerOf(question, sqlOf(question)) };
      },
    });
  });
  afterEach(async () => {
    stopAll();
    await model.close();
    await rm(folder, { recursive: true, force: true });
  });

  const serve = async (more: Record<string, string> = {}) => {
    const own = { DATA_DIR: folder, PORT: '0', NOW, JWT_SECRET, ENDPOINTS_DIR: FEW_ENDPOINTS };
    const plain = { ...own, MODEL_URL: model.url, MODEL_NAME: 'm', ...more };
    const variables = { ...plain, ...environment() };
    const process = start(['serve'], { environment: variables });
    return { ...process, url: await listening(process) };
  };
  const post = async (url: string, path: string, text: string) => {
    const headers = {
      Authorization: `Bearer ${await tokenOf(`killed-${users++}`)}`,
      'Content-Type': 'application/json',
    };
    return fetch(url + path, { method: 'POST', headers, body: JSON.stringify({ question: text, ignoreCache: true }) });
  };
  const read = async (url: string, id: string) =>
    (await (await fetch(`${url}/explorer/questions/${id}/`)).json()) as QuestionRecord;
  /** Asks a question of this kind, and waits until it has this status. */
  const ask = async (url: string, kind: string, status: string) => {
    const response = await post(url, '/explorer/questions/', `${kind} ${users} zzq`);
    expect(response.status).to.equal(200);
    const { id } = (await response.json()) as QuestionRecord;
    await eventually(async () => {
      const record = await read(url, id);
      const isEnd = ['success', 'error'].includes(record.status);
      if (isEnd) throw new Error(`This question should be ${status}: ${JSON.stringify({ ...record, plan: null })}`);
      return record.status === status;
    });
    return { id, kind, status };
  };
  const promptsOf = (title: string) => model.requests.filter(({ prompt }) => prompt.includes(title)).length;

  it('end within a minute after kill -9 in each status, and none runs twice', async () => {
    const killed = await serve();
    const asked = [
      await ask(killed.url, 'broken', 'sql_validating'),
      await ask(killed.url, 'stalling', 'answer_generating'),
      await ask(killed.url, 'stalling', 'answer_generating'),
      await ask(killed.url, 'slow', 'running'),
      await ask(killed.url, 'expensive', 'waiting'),
      await ask(killed.url, 'stalling', 'answer_generating'),
      await ask(killed.url, 'good', 'new'),
    ];
    const before = await Promise.all(asked.map(({ id }) => read(killed.url, id)));
    expect(before.map(({ status }) => status)).to.deep.equal(asked.map(({ status }) => status));
    killed.child.kill('SIGKILL');
    await killed.ended;
    isStalling = false;
    const prompts = before.map(({ title }) => promptsOf(title));
    const next = await serve();
    const started = performance.now();
    const after = await Promise.all(asked.map(async ({ id }) => (await followToEnd(next.url, id)).record));
    expect(performance.now() - started).to.be.below(60_000);
    record('questions of a killed process', `all ended after ${Math.round(performance.now() - started)} ms`);
    const outcomes = after.map(({ status, errorType, executedAt, result, title }, index) => ({
      kind: asked[index]?.kind,
      before: asked[index]?.status,
      after: [status, errorType],
      hasResult: result !== null,
      isExecutedNow: executedAt !== null && executedAt !== before[index]?.executedAt,
      newPrompts: promptsOf(title) - (prompts[index] ?? 0),
    }));
    const success = { after: ['success', null], hasResult: true, isExecutedNow: true };
    expect(outcomes).to.deep.equal([
      { kind: 'broken', before: 'sql_validating', ...success, newPrompts: 2 },
      { kind: 'stalling', before: 'answer_generating', ...success, newPrompts: 1 },
      { kind: 'stalling', before: 'answer_generating', ...success, newPrompts: 1 },
      {
        ...{ kind: 'slow', before: 'running', after: ['error', 'error-unknown'] },
        ...{ hasResult: false, isExecutedNow: false, newPrompts: 0 },
      },
      { kind: 'expensive', before: 'waiting', ...success, newPrompts: 0 },
      { kind: 'stalling', before: 'answer_generating', ...success, newPrompts: 1 },
      { kind: 'good', before: 'new', ...success, newPrompts: 1 },
    ]);
    next.child.kill('SIGTERM');
    expect((await next.ended).code).to.equal(0);
  });

  it('wait for the next process after SIGTERM, and waiting callers get an answer before their connection ends', async () => {
    const stopped = await serve({ SHUTDOWN_TIMEOUT_MS: '3000' });
    const preparing = await ask(stopped.url, 'stalling', 'answer_generating');
    const running = await ask(stopped.url, 'slow', 'running');
    const waiting = await ask(stopped.url, 'expensive', 'waiting');
    const stream = fetch(`${stopped.url}/explorer/questions/${preparing.id}/`, {
      headers: { Accept: 'text/event-stream' },
    }).then((response) => response.text());
    const answer = post(stopped.url, '/explorer/answer/', 'stalling 999 zzq');
    await eventually(() => promptsOf('stalling 999 zzq') === 1);
    const started = performance.now();
    stopped.child.kill('SIGTERM');
    const response = await answer;
    const problem = (await response.json()) as { code: string; detail: string };
    expect([response.status, problem.code]).to.deep.equal([503, 'overloaded']);
    expect(problem.detail).to.match(/^The service is stopping\. Read \/explorer\/questions\/[0-9a-f-]+\/ later\.$/);
    expect(await stream).to.contain('"status":"answer_generating"');
    expect((await stopped.ended).code).to.equal(0);
    expect(performance.now() - started).to.be.below(6_000);
    isStalling = false;
    const next = await serve();
    const ended = async ({ id }: { id: string }) => (await followToEnd(next.url, id)).record;
    const [, id = ''] = /questions\/([0-9a-f-]+)\//.exec(problem.detail) ?? [];
    expect((await ended({ id })).status).to.equal('success');
    expect((await ended(preparing)).status).to.equal('success');
    expect((await ended(waiting)).status).to.equal('success');
    expect(await ended(running)).to.deep.include({ status: 'error', errorType: 'error-unknown', result: null });
    next.child.kill('SIGTERM');
    expect((await next.ended).code).to.equal(0);
  });
}

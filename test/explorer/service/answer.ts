import { expect } from 'chai';
import initialize from 'sql.js';
import type { answerOperation } from '../../../app-routes/explorer/answer.js';
import { eventually } from '../../services/eventually.js';
import { COUNT, type ExplorerService, modelQuestion, pathOf, writesSql } from './explorer-service.js';

const PATH = '/explorer/answer/' satisfies ReturnType<typeof answerOperation>['path'];

interface AnswerBody {
  readonly question: { readonly id: string } & Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly result: {
    readonly fields: readonly { readonly name: string }[];
    readonly rows: readonly Record<string, string | number | null>[];
    readonly truncated: boolean;
  };
}

/** Defines the tests of the rows, which depend on the database. */
export function answerRowTests(explorer: ExplorerService): void {
  const answer = async (login: string, body: object) => {
    const { status, body: received, headers } = await explorer.send(login, 'POST', PATH, body);
    expect(status, JSON.stringify(received)).to.equal(200);
    return { ...(received as AnswerBody), headers };
  };

  it('answers with the rows of the definition that answers the question', async () => {
    const [owner, repo] = explorer.demo.repository.split('/');
    const title = `Who opened the most issues in ${owner}/${repo}?`;
    const { question, query, result } = await answer('ada', { question: title, ignoreCache: true });
    const { revisedTitle, id } = question;
    const record = await explorer.read(id);
    const { notClear, assumption } = record;
    expect(revisedTitle).to.be.a('string');
    expect(question).to.deep.equal({
      ...{ id, title, revisedTitle, notClear, assumption, hitCache: false, link: pathOf(id) },
      ...{ status: 'success', error: null, errorType: null },
    });
    const { querySQL: sql, spent, definition, executedAt } = record;
    expect(query).to.deep.equal({ sql, spent, engines: ['catalogue'], definition, executedAt });
    expect(result).to.deep.equal(record.result);
    const { name, parameters } = record.definition ?? { name: '', parameters: {} };
    const search = new URLSearchParams(parameters);
    const { body } = await explorer.send(undefined, 'GET', `/q/${name}?${search}`);
    expect(result.rows).to.deep.equal((body as { data: unknown[] }).data);
    expect(result.rows).to.not.have.length(0);
  });

  it('answers with the rows of the SQL of the model', async () => {
    const title = modelQuestion('answer');
    explorer.model.replyTo(title, writesSql(COUNT, { chartName: 'NumberCard', title: 'Events', value: 'events' }));
    const { question, query, result } = await answer('bea', { question: title, format: 'json' });
    const { id } = question;
    const revisedTitle = 'The understood question';
    expect(question).to.deep.equal({
      ...{ id, title, revisedTitle, notClear: '', assumption: '', hitCache: false, link: pathOf(id) },
      ...{ status: 'success', error: null, errorType: null },
    });
    const { spent, result: stored, chart, executedAt } = await explorer.read(id);
    expect(query).to.deep.equal({ sql: COUNT, spent, engines: ['model'], definition: null, executedAt });
    expect(result).to.deep.equal(stored);
    expect(result.rows).to.have.length(1);
    expect(chart).to.deep.equal({ chartName: 'NumberCard', title: 'Events', value: 'events' });
  });

  it('sends a SQLite file whose table equals the result as JSON, also for a truncated one', async () => {
    const title = modelQuestion('file');
    explorer.model.replyTo(title, writesSql('SELECT id, type, actor_login, created_at FROM github_events ORDER BY id'));
    const { question, result } = await answer('cai', { question: title });
    const response = await askFile(explorer, 'cai', { question: title });
    expect(response.status).to.equal(200);
    const id = response.headers.get('x-question-id');
    const names = ['content-type', 'content-disposition', 'x-result-truncated', 'cache-control'];
    expect(names.map((name) => response.headers.get(name))).to.deep.equal([
      ...['application/vnd.sqlite3', `attachment; filename="${id}.sqlite"`, 'true', 'no-store'],
    ]);
    // The second question reused the cached answer of the first one.
    expect(await explorer.read(id ?? '')).to.include({ hitCache: true });
    expect(id).to.not.equal(question.id);
    expect(result.truncated).to.equal(true);
    expect(await readFile(response)).to.deep.equal({
      columns: result.fields.map(({ name }) => name),
      rows: result.rows.map((row) => result.fields.map(({ name }) => row[name] ?? null)),
    });
  });
}

export function answerTests(explorer: ExplorerService): void {
  it('sends an empty SQLite file for a query without rows, and errors as problems', async () => {
    const title = modelQuestion('empty file');
    explorer.model.replyTo(title, writesSql('SELECT repo_id FROM github_repos WHERE 1 = 0'));
    const response = await askFile(explorer, 'dee', { question: title });
    expect([response.status, response.headers.get('x-result-truncated')]).to.deep.equal([200, 'false']);
    expect(await readFile(response)).to.deep.equal({ columns: ['repo_id'], rows: [] });
    const failing = modelQuestion('failing file');
    explorer.model.replyTo(failing, { answer: { sqlCanAnswer: false, reason: 'No table has salaries.' } });
    const failed = await askFile(explorer, 'dee', { question: failing });
    expect([failed.status, failed.headers.get('content-type')?.split(';')[0]]).to.deep.equal([
      422,
      'application/problem+json',
    ]);
  });

  it('is 409 when the user cancels the question', async () => {
    const title = modelQuestion('cancelled');
    explorer.model.replyTo(title, { stall: 'before-headers' });
    const waiting = explorer.send('eli', 'POST', PATH, { question: title });
    let id = '';
    while (id === '') {
      const { body } = await explorer.send('eli', 'GET', '/user/questions/');
      id = (body as { questions: { id: string }[] }).questions[0]?.id ?? '';
    }
    expect((await explorer.send('eli', 'POST', `${pathOf(id)}cancel/`)).status).to.equal(200);
    const { status, body } = await waiting;
    expect(status).to.equal(409);
    expect(body).to.deep.include({
      code: 'question_cancelled',
      detail: 'The question was cancelled.',
      errors: [{ errorType: null, questionId: id, link: pathOf(id), recommendedQuestions: [] }],
    });
  });

  it('continues with the question when the caller disconnects', async () => {
    const title = modelQuestion('disconnected');
    explorer.model.replyTo(title, { ...writesSql(COUNT), isHeld: true });
    const controller = new AbortController();
    const sent = explorer.demo.as(explorer.loginOf('fay'), PATH, {
      method: 'POST',
      signal: controller.signal,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ question: title }),
    });
    let id = '';
    while (id === '') {
      const { body } = await explorer.send('fay', 'GET', '/user/questions/');
      id = (body as { questions: { id: string }[] }).questions[0]?.id ?? '';
    }
    controller.abort();
    await sent.catch(() => {});
    await explorer.waitFor(id, 'answer_generating');
    await eventually(() => explorer.model.requests.some(({ prompt }) => prompt.includes(title)));
    explorer.model.release();
    expect((await explorer.waitForEnd(id)).status).to.equal('success');
  });

  it('rejects other formats and types', async () => {
    for (const body of [
      { format: 'csv' },
      { format: null },
      { ignoreCache: 'yes' },
      { question: '' },
      { question: 7 },
    ]) {
      const { status, body: problem } = await explorer.send('gus', 'POST', PATH, { question: 'What?', ...body });
      expect([status, (problem as { code: string }).code], JSON.stringify(body)).to.deep.equal([400, 'bad_body']);
    }
  });
}

/** Asks a question and requests the answer as a SQLite file. */
function askFile(explorer: ExplorerService, login: string, body: object): Promise<Response> {
  return explorer.demo.as(explorer.loginOf(login), PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...body, format: 'sqlite' }),
  });
}

async function readFile(response: Response): Promise<{ columns: string[]; rows: unknown[][] }> {
  const { Database } = await initialize();
  const database = new Database(new Uint8Array(await response.arrayBuffer()));
  const statement = database.prepare('SELECT * FROM result');
  const columns = statement.getColumnNames();
  const rows: unknown[][] = [];
  while (statement.step()) rows.push(statement.get());
  database.close();
  return { columns, rows };
}

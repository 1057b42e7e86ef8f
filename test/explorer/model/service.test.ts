import { expect } from 'chai';
import { type DemoService, startDemoService } from '../../service/demo-service.js';
import { eventually } from '../../services/eventually.js';
import { onBothDatabases } from '../../services/mysql.js';
import { type ModelReply, type ModelServer, startModelServer } from '../model-server.js';
import { KEY } from './ask-model.js';

const PUSHES = "SELECT 'none' AS kind, COUNT(*) AS pushes FROM github_events WHERE type = 'PushEvent'";

onBothDatabases('a service with a language model', (database) => {
  let server: ModelServer;
  let demo: DemoService;
  before(async () => {
    server = await startModelServer();
    const model = { MODEL_URL: server.url, MODEL_NAME: 'tester', MODEL_KEY: KEY };
    demo = await startDemoService({ ...database(), ...model });
  });
  after(async () => {
    await demo?.close();
    await server.close();
  });

  const answered = (sql: string) => ({
    revisedTitle: 'Pushes on weekends',
    sqlCanAnswer: true,
    sql,
    chart: { chartName: 'NumberCard', title: 'Pushes', value: 'pushes' },
    recommendedQuestions: ['Who pushed most?'],
  });
  /** Asks a question and returns its record when it is final. */
  const ask = async (login: string, title: string): Promise<Record<string, unknown>> => {
    // With a signal, the answer is not compared with the description of the service. Other suites do this.
    const { signal } = new AbortController();
    const asked = await demo.as(login, '/explorer/questions/', {
      method: 'POST',
      signal,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ question: title }),
    });
    let record = (await asked.json()) as Record<string, unknown>;
    await eventually(async () => {
      const read = await demo.as(login, `/explorer/questions/${record.id}/`, { signal });
      record = (await read.json()) as Record<string, unknown>;
      return ['success', 'error', 'cancel'].includes(String(record.status));
    });
    return record;
  };

  it('answers a question that no definition answers with the SQL of the model', async () => {
    const question = 'What is the average length of a login among all pushers on weekends?';
    server.replyTo(question, { answer: answered(PUSHES) });
    const record = await ask('ada', question);
    expect(record).to.deep.include({ status: 'success', revisedTitle: 'Pushes on weekends', errorType: null });
    expect(record).to.deep.include({ querySQL: PUSHES, engines: ['model'] });
    const { rows } = record.result as { rows: Record<string, unknown>[] };
    expect(Number(rows[0]?.pushes)).to.be.above(0);
  });

  it('repairs SQL that the guard rejects, with its message as data', async () => {
    const question = 'What is the average length of a password among all pushers on weekends?';
    const hostile = 'SELECT email AS pushes FROM sys_users';
    server.replyTo(question, ({ prompt }) =>
      prompt.includes('<rejected_sql>') ? { answer: answered(PUSHES) } : { answer: answered(hostile) },
    );
    expect(await ask('bea', question)).to.include({ status: 'success', querySQL: PUSHES });
    expect(server.requests.at(-1)?.prompt).to.contain(`<rejected_sql>"${hostile}"</rejected_sql>`);
    expect(server.requests.at(-1)?.prompt).to.contain('there is no public table sys_users');
  });

  const leaks: readonly (readonly [string, ModelReply])[] = [
    ['an error', { status: 401, json: { error: { message: `Incorrect key ${KEY}` } } }],
    ['a page', { status: 500, text: KEY }],
    ['an invalid stream', { lines: [`data: ${KEY}`, ''] }],
    ['an answer', { answer: { sqlCanAnswer: false, reason: `The key is ${KEY}.`, recommendedQuestions: [KEY] } }],
    ['the SQL', { answer: answered(`SELECT '${KEY}' AS pushes FROM no_such_table`) }],
  ];
  for (const [place, reply] of leaks) {
    it(`contains the key neither in answers nor in the log if the server returns it in ${place}`, async () => {
      const question = `What is the average length of the names of all pushers on weekends, with ${place}?`;
      server.replyTo(question, reply);
      const record = await ask(place.replaceAll(' ', '-'), question);
      expect(record.status).to.equal('error');
      expect(JSON.stringify(record)).not.to.contain(KEY);
      expect(JSON.stringify(demo.log)).not.to.contain(KEY);
      const query = demo.database.prepare('SELECT title, record FROM explorer_questions');
      const { rows } = await demo.database.query(query, [], { maxRows: 100, timeoutMs: 5_000 });
      const records = rows.filter(([title]) => String(title) === question);
      expect(records).to.have.length(1);
      expect(JSON.stringify(records)).not.to.contain(KEY);
    });
  }
});

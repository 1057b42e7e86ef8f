import { expect } from 'chai';
import {
  COUNT,
  type ExplorerService,
  modelQuestion,
  startExplorerService,
  writesSql,
} from '../explorer/service/explorer-service.js';
import { tokenOf } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { call, connectHttp, VERSIONS } from './mcp-client.js';

describe('the tool for questions', () => {
  let service: ExplorerService;
  before(async () => {
    service = await startExplorerService({ ENDPOINTS_DIR: FEW_ENDPOINTS });
  });
  after(() => service.close());

  const connectAs = async (login: string) =>
    connectHttp(service.demo, '2026-07-28', { Authorization: `Bearer ${await tokenOf(login)}` });

  it('answers like POST /explorer/answer/', async () => {
    const question = 'List all collections';
    const { body } = await service.send('octavia', 'POST', '/explorer/answer/', { question });
    const answer = body as {
      question: {
        title: string;
        revisedTitle: string | null;
        assumption: string | null;
        notClear: string | null;
        link: string;
      };
      query: { sql: string; definition: unknown };
      result: { rows: unknown[]; fields: { name: string; columnType: string }[]; dataAsOf: string | null };
      chart: unknown;
    };
    for (const version of VERSIONS) {
      const client = await connectHttp(service.demo, version, { Authorization: `Bearer ${await tokenOf('octavia')}` });
      const { isError, content, text } = await call(client, 'ask_question', { question });
      await client.close();
      const { link, ...facts } = content;
      expect([isError, String(link)], text).to.satisfy(
        ([failed, path]: [boolean, string]) => !failed && path.startsWith('/explorer/questions/'),
      );
      expect(facts).to.deep.include({
        rows: answer.result.rows,
        columns: answer.result.fields.map(({ name, columnType }) => ({ name, type: columnType })),
        data_as_of: answer.result.dataAsOf,
        truncated: false,
        question: answer.question.revisedTitle ?? answer.question.title,
        assumption: answer.question.assumption,
        not_clear: answer.question.notClear,
        sql: answer.query.sql,
        definition: answer.query.definition,
        chart: answer.chart,
      });
      expect(text).to.include('Understood as: ').and.to.include(`SQL: ${answer.query.sql}`);
    }
  });

  it('returns the rows of SQL that a model wrote', async () => {
    const question = modelQuestion('for the tool');
    service.model.replyTo(question, writesSql(COUNT));
    const client = await connectAs('marten');
    const { content } = await call(client, 'ask_question', { question });
    await client.close();
    expect(content).to.deep.include({ row_count: 1, definition: null, question: 'The understood question' });
  });

  it('returns the errors of the explorer, and needs a user', async () => {
    const client = await connectAs('marten');
    const other = await call(client, 'ask_question', { question: 'Who won the football match yesterday?' });
    const empty = await call(client, 'ask_question', { question: ' ', ignorecache: true });
    await client.close();
    expect([other.isError, empty.isError, empty.error?.code]).to.deep.equal([true, true, 'bad_body']);
    expect(empty.text).to.include('"ignorecache" is not a key of this body (did you mean "ignoreCache"?)');
    const anonymous = await connectHttp(service.demo);
    const { error } = await call(anonymous, 'ask_question', { question: 'List all collections' });
    await anonymous.close();
    expect(error?.code).to.equal('credential_missing');
    const forged = await connectHttp(service.demo, '2026-07-28', { Authorization: 'Bearer abc' });
    expect((await call(forged, 'ask_question', { question: 'List all collections' })).error?.code).to.equal(
      'credential_invalid',
    );
    await forged.close();
  });
});

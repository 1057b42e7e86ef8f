import { expect } from 'chai';
import { onBothDatabases } from '../../services/mysql.js';
import type { ModelReply, ModelServerRequest } from '../model-server.js';
import { type HostileService, PRIVATE_VALUES, privateValuesIn, startHostileService } from './hostile-service.js';

/** Replies of a server that repeats the request headers, which contain the key, and the expected error type of the question. */
const REPLIES: Readonly<
  Record<string, { readonly reply: (headers: string) => ModelReply; readonly errorType: string | null }>
> = {
  texts: {
    reply: (headers) => ({
      answer: {
        ...Object.fromEntries(
          ['revisedTitle', 'notClear', 'assumption', 'combinedTitle'].map((name) => [name, headers]),
        ),
        ...{
          sqlCanAnswer: true,
          sql: 'SELECT COUNT(*) AS repositories FROM github_repos',
          recommendedQuestions: [headers],
        },
        chart: { chartName: 'Table', title: headers, columns: [headers] },
      },
    }),
    errorType: 'error-validate-chart',
  },
  'a value in SQL': {
    reply: (headers) => ({ answer: { sqlCanAnswer: true, sql: `SELECT '${headers}' AS headers` } }),
    errorType: null,
  },
  'wrong SQL': {
    reply: (headers) => ({ answer: { sqlCanAnswer: true, sql: `SELECT \`${headers}\` FROM github_repos` } }),
    errorType: 'error-validate-sql',
  },
  'the reason': {
    reply: (headers) => ({ answer: { sqlCanAnswer: false, reason: headers, recommendedQuestions: [headers] } }),
    errorType: 'error-sql-can-not-answer',
  },
  'an answer of the wrong form': {
    reply: (headers) => ({ answer: `${headers} {"sql":"${headers}"}` }),
    errorType: 'error-answer-parse',
  },
  'the name of a member': {
    reply: (headers) => ({ answer: { sqlCanAnswer: 'yes', [headers]: headers } }),
    errorType: 'error-answer-parse',
  },
  'a text that declines': { reply: (headers) => ({ declines: headers }), errorType: 'error-sql-can-not-answer' },
  'status 400': { reply: (headers) => failure(400, headers), errorType: 'error-answer-generate' },
  'status 401': { reply: (headers) => failure(401, headers), errorType: 'error-answer-generate' },
  'status 500': { reply: (headers) => failure(500, headers), errorType: 'error-answer-generate' },
  'a redirect': {
    reply: (headers) => ({ status: 302, headers: { location: `http://127.0.0.1:1/${encodeURIComponent(headers)}` } }),
    errorType: 'error-answer-generate',
  },
  'a page of HTML': {
    reply: (headers) => ({ status: 200, text: `<p>${headers}</p>` }),
    errorType: 'error-answer-parse',
  },
  'broken events': { reply: (headers) => ({ lines: [`data: ${headers}`, ''] }), errorType: 'error-answer-parse' },
};

onBothDatabases('the key of a model', (environment) => {
  let service: HostileService;
  before(async () => {
    service = await startHostileService(environment(), { otherwise: replyTo });
  });
  after(() => service.close());

  it('occurs in no answer, record, log line or prompt, even if the server repeats the headers of requests', async () => {
    const types: Record<string, string | null> = {};
    for (const [user, name] of Object.keys(REPLIES).entries()) {
      const question = await service.ask(user, `Unicorns: ${name}`);
      types[name] = question.errorType;
      await service.post(user, '/explorer/answer/', { question: `Unicorns: ${name}`, ignoreCache: true });
      await service.post(user, '/bot/questionToSQL/', { question: `Unicorns: ${name}` });
    }
    expect(types).to.deep.equal(
      Object.fromEntries(Object.entries(REPLIES).map(([name, { errorType }]) => [name, errorType])),
    );
    const documents = ['/openapi.json', '/', '/healthy/', '/docs/', '/explorer/questions/recommend/?aiGenerated=true'];
    const texts = await Promise.all(
      documents.map(async (path) => (await fetch(service.demo.service.url + path)).text()),
    );
    const { requests } = service.model ?? { requests: [] };
    expect(requests.every(({ headers }) => headers.authorization === `Bearer ${PRIVATE_VALUES.key}`)).to.equal(true);
    expect(privateValuesIn([...texts, ...(await service.texts())])).to.deep.equal([]);
  });
});

function replyTo({ prompt, headers }: ModelServerRequest): ModelReply {
  const name = Object.keys(REPLIES).find((one) => prompt.includes(`<question>"Unicorns: ${one}"`)) ?? '';
  const reply = REPLIES[name]?.reply(`authorization: ${headers.authorization}`);
  if (reply === undefined) throw new Error('There is no reply to this request.');
  return reply;
}

function failure(status: number, headers: string): ModelReply {
  return {
    status,
    json: { error: { message: headers, type: headers, code: headers, param: headers } },
    headers: { 'x-echo': headers },
  };
}

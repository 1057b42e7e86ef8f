import { expect } from 'chai';
import type { ModelReply, ModelServerRequest } from '../model-server.js';
import { type HostileService, PRIVATE_VALUES, privateValuesIn } from './hostile-service.js';

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

export function modelKeyTests(service: () => HostileService, isServer: () => boolean): void {
  it('occurs in no answer, record, log line or prompt, even if the server repeats the headers of requests', async () => {
    const types: Record<string, string | null> = {};
    // The database is only used for records, so one record is enough on the server.
    const names = isServer() ? ['texts'] : Object.keys(REPLIES);
    for (const [user, name] of names.entries()) {
      const question = `Unicorns: ${name}`;
      types[name] = (await service().ask(user, question)).errorType;
      await service().post(user, '/bot/questionToSQL/', { question });
      if (!ANSWERED.has(name)) continue;
      await service().post(user, '/explorer/answer/', { question, ignoreCache: true });
    }
    expect(types).to.deep.equal(Object.fromEntries(names.map((name) => [name, REPLIES[name]?.errorType])));
    const documents = ['/openapi.json', '/', '/healthy/', '/docs/', '/explorer/questions/recommend/?aiGenerated=true'];
    const texts = await Promise.all(
      documents.map(async (path) => (await fetch(service().demo.service.url + path)).text()),
    );
    const { requests } = service().model ?? { requests: [] };
    expect(requests.every(({ headers }) => headers.authorization === `Bearer ${PRIVATE_VALUES.key}`)).to.equal(true);
    expect(privateValuesIn([...texts, ...(await service().texts())])).to.deep.equal([]);
  });
}

/** One reply for each kind of answer of the operation that waits for the rows: rows, rejected SQL, a reason, and a failure. */
const ANSWERED = new Set(['texts', 'wrong SQL', 'the reason', 'status 401']);

/** Returns the reply to a question of these tests; undefined for other questions. */
export function replyWithKey({ prompt, headers }: ModelServerRequest): ModelReply | undefined {
  const name = Object.keys(REPLIES).find((one) => prompt.includes(`<question>"Unicorns: ${one}"`)) ?? '';
  return REPLIES[name]?.reply(`authorization: ${headers.authorization}`);
}

function failure(status: number, headers: string): ModelReply {
  return {
    status,
    json: { error: { message: headers, type: headers, code: headers, param: headers } },
    headers: { 'x-echo': headers },
  };
}

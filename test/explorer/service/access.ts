import { expect } from 'chai';
import type { ExplorerService } from './explorer-service.js';

const ASKED = { question: 'Which repositories are trending this week?' };
const QUESTION = '/explorer/questions/{id}/';

/** For each operation of the explorer: method, path, who may call it, and a valid body. */
const OPERATIONS: readonly (readonly [string, string, 'open' | 'signed-in' | 'trusted', unknown?])[] = [
  ['POST', '/bot/questionToSQL/', 'signed-in', ASKED],
  ['GET', '/bot/questionToSQL/quota/', 'signed-in'],
  ['POST', '/playground/sql/generate/', 'signed-in', ASKED],
  ['GET', '/playground/sql/generate/quota/', 'signed-in'],
  ['POST', '/explorer/answer/', 'signed-in', ASKED],
  ['POST', '/explorer/questions/', 'signed-in', ASKED],
  ['GET', QUESTION, 'open'],
  ['POST', `${QUESTION}cancel/`, 'signed-in'],
  ['GET', '/explorer/tags/', 'open'],
  ['GET', '/explorer/questions/recommend/', 'open'],
  ['POST', '/explorer/questions/recommend/batchRefresh/', 'trusted'],
  ['GET', `${QUESTION}feedback/`, 'signed-in'],
  ['POST', `${QUESTION}feedback/`, 'signed-in', { satisfied: true }],
  ['DELETE', `${QUESTION}feedback/?satisfied=true`, 'signed-in'],
  ['POST', `${QUESTION}recommend/`, 'trusted'],
  ['POST', `${QUESTION}recommend/cancel/`, 'trusted'],
  ['GET', `${QUESTION}tags/`, 'open'],
  ['POST', `${QUESTION}tags/`, 'trusted', { tagIds: [1] }],
  ['GET', '/user/questions/', 'signed-in'],
];

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

export function accessTests(explorer: ExplorerService): void {
  let asked: string;
  before(async () => {
    const questions = Array.from({ length: 40 }, (_, index) => `Who pushed ${index} times?`);
    explorer.model.replyTo('\n<repositories>', { answer: { questions } });
    await explorer.trust('trusted');
    const { body } = await explorer.send('trusted', 'POST', '/explorer/answer/', ASKED);
    asked = (body as { question: { id: string } }).question.id;
  });

  const call = async (login: string | undefined, method: string, path: string, body: unknown, id = asked) => {
    const answer = await explorer.send(login, method, path.replace('{id}', id), body);
    return { ...answer, code: (answer.body as { code?: string }).code };
  };

  for (const [method, path, access, body] of OPERATIONS) {
    const isOfQuestion = path.includes('{id}');

    it(`answer ${method} ${path} for ${access} callers only, and not from caches`, async () => {
      const anonymous = await call(undefined, method, path, body);
      const expected = access === 'open' ? [200, undefined] : [401, 'credential_missing'];
      expect([anonymous.status, anonymous.code]).to.deep.equal(expected);
      if (access !== 'open') expect(anonymous.headers.get('www-authenticate')).to.match(/^Bearer/);
      const wrong = await explorer.send(undefined, method, path.replace('{id}', asked), body, {
        Authorization: 'Bearer x',
      });
      expect(wrong.status).to.equal(access === 'open' ? 200 : 401);
      const ordinary = await call(
        'ordinary',
        method,
        path,
        body,
        isOfQuestion && path.includes('cancel/') ? UNKNOWN : asked,
      );
      if (access === 'trusted') expect([ordinary.status, ordinary.code]).to.deep.equal([403, 'not_trusted']);
      else expect(ordinary.code).to.not.be.oneOf(['not_trusted', 'credential_missing']);
      if (access !== 'open') expect(ordinary.headers.get('cache-control')).to.equal('no-store');
    });

    it(`answer ${method} ${path} equally with and without the trailing slash`, async () => {
      const [bare = '', query = ''] = path.split('?');
      const search = query === '' ? '' : `?${query}`;
      const slashed = await call('trusted', method, `${bare}${search}`, body);
      const plain = await call('trusted', method, `${bare.replace(/\/$/, '')}${search}`, body);
      expect([slashed.status, plain.status]).to.deep.equal([200, 200]);
      expect(Object.keys(plain.body as object)).to.deep.equal(Object.keys(slashed.body as object));
    });

    if (isOfQuestion) {
      it(`answer ${method} ${path} with 404 for an unknown question`, async () => {
        for (const id of [UNKNOWN, 'no-uuid', asked.toUpperCase(), '%F0%9F%98%80']) {
          const { status, code } = await call('trusted', method, path, body, id);
          expect([status, code], id).to.deep.equal([404, 'question_not_found']);
        }
      });
    }
  }

  it('reject other methods, unknown parameters and malformed bodies', async () => {
    for (const [method, path, , body] of OPERATIONS) {
      const address = path.replace('{id}', asked);
      const unknown = await explorer.send('trusted', method, `${address}${path.includes('?') ? '&' : '?'}more=1`, body);
      expect([unknown.status, (unknown.body as { code: string }).code], path).to.deep.equal([400, 'bad_parameter']);
      if (body !== undefined) {
        const bad = await explorer.send('trusted', method, address, { ...(body as object), more: 1 });
        expect([bad.status, (bad.body as { code: string }).code], path).to.deep.equal([400, 'bad_body']);
      }
      const patched = await explorer.send('trusted', 'PATCH', address.replace(/\?.*/, ''));
      expect([patched.status, patched.headers.get('allow')?.includes(method)], path).to.deep.equal([405, true]);
    }
  });
}

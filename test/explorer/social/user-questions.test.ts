import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { userQuestionsOperation } from '../../../app-routes/explorer/user-questions.js';
import { onBothDatabases } from '../../services/mysql.js';
import { clearExplorer, type ExplorerApp, NOON, seedQuestion, startExplorerApp } from './explorer-app.js';

const PATH = '/user/questions/';

interface Page {
  readonly questions: readonly { readonly id: string; readonly title: string }[];
  readonly nextCursor: string | null;
}

onBothDatabases('the questions of a user', (environment) => {
  let app: ExplorerApp;
  let [ada, bob]: [number, number] = [0, 0];
  before(async () => {
    app = await startExplorerApp(environment(), (database) => [userQuestionsOperation(database)]);
    [ada, bob] = [(await app.user('ada')).id, (await app.user('bob')).id];
  });
  after(() => app.close());
  beforeEach(() => clearExplorer(app));

  const at = (seconds: number) => new Date(NOON.getTime() + seconds * 1_000);
  const read = async (query = '', login = 'ada') => (await app.ask(login, 'GET', PATH + query)).body as Page;

  it('are listed for this user only, newest first', async () => {
    expect(await read()).to.deep.equal({ questions: [], nextCursor: null });
    const first = await seedQuestion(app.state, { userId: ada, title: 'First?', createdAt: at(0), finishedAt: at(2) });
    const failed = await seedQuestion(app.state, {
      ...{ userId: ada, title: 'Failed 😀?', status: 'error', errorType: 'error-query-timeout' },
      ...{ createdAt: at(5), finishedAt: at(65) },
    });
    const waiting = await seedQuestion(app.state, {
      ...{ userId: ada, title: 'Waiting?', status: 'waiting', createdAt: at(9), finishedAt: null },
    });
    const ofBob = await seedQuestion(app.state, { userId: bob, title: 'Other?' });
    expect(await read()).to.deep.equal({
      questions: [
        {
          ...{ id: waiting, title: 'Waiting?', status: 'waiting', createdAt: '2026-06-30T12:00:09Z' },
          ...{ finishedAt: null, errorType: null },
        },
        {
          ...{ id: failed, title: 'Failed 😀?', status: 'error', createdAt: '2026-06-30T12:00:05Z' },
          ...{ finishedAt: '2026-06-30T12:01:05Z', errorType: 'error-query-timeout' },
        },
        {
          ...{ id: first, title: 'First?', status: 'success', createdAt: '2026-06-30T12:00:00Z' },
          ...{ finishedAt: '2026-06-30T12:00:02Z', errorType: null },
        },
      ],
      nextCursor: null,
    });
    expect((await read('', 'bob')).questions.map(({ id }) => id)).to.deep.equal([ofBob]);
    expect((await app.ask(undefined, 'GET', PATH)).status).to.equal(401);
  });

  it('are listed completely in pages, also if many have the same time and new ones are asked', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 25; index += 1) {
      ids.push(await seedQuestion(app.state, { userId: ada, title: `${index}?`, createdAt: at(index % 3) }));
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const page: Page = await read(`?n=4${cursor === null ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.questions.map(({ id }) => id));
      cursor = page.nextCursor;
      pages += 1;
      await seedQuestion(app.state, { userId: ada, title: 'later', createdAt: at(100) });
    } while (cursor !== null);
    expect([pages, seen.length, [...seen].sort()]).to.deep.equal([7, 25, ids.sort()]);
    expect((await read()).questions).to.have.length(20);
    expect(await read('?n=32')).to.deep.include({ nextCursor: null });
  });

  it('reject invalid parameters', async () => {
    const id = randomUUID();
    for (const query of ['n=0', 'n=101', 'cursor=', 'cursor=x', `cursor=${id}`, `cursor=-1_${id}`, `cursor=1_${id}'`]) {
      expect((await app.ask('ada', 'GET', `${PATH}?${query}`)).body, query).to.include({ code: 'bad_parameter' });
    }
    for (const seconds of ['0', '99999999999']) {
      expect((await app.ask('ada', 'GET', `${PATH}?cursor=${seconds}_${id}`)).status).to.equal(200);
    }
  });
});

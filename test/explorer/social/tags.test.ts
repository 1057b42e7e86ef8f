import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { tagOperations } from '../../../app-routes/explorer/tags.js';
import { QuestionTags } from '../../../explorer/questions/tags.js';
import { onBothDatabases } from '../../services/mysql.js';
import { cellsOf, changesOf, clearExplorer, type ExplorerApp, seedQuestion, startExplorerApp } from './explorer-app.js';

onBothDatabases('the tags of questions', (environment) => {
  let app: ExplorerApp;
  let trusted: number;
  before(async () => {
    app = await startExplorerApp(environment(), (database, state) => tagOperations(new QuestionTags(database, state)));
    await app.user('ordinary');
    trusted = (await app.user('trusted', true)).id;
  });
  after(() => app.close());
  beforeEach(() => clearExplorer(app));

  const tagsOf = (id: string) => `/explorer/questions/${id}/tags/`;
  const set = (id: string, tagIds: unknown, login = 'trusted') => app.ask(login, 'POST', tagsOf(id), { tagIds });

  it('are listed for everyone', async () => {
    const { status, body } = await app.ask(undefined, 'GET', '/explorer/tags/');
    expect([status, body]).to.deep.equal([
      200,
      [
        { id: 1, name: 'Repositories' },
        { id: 2, name: 'Developers' },
        { id: 3, name: 'Organizations' },
        { id: 4, name: 'Countries' },
        { id: 5, name: 'Languages' },
        { id: 6, name: 'Stars' },
        { id: 7, name: 'Issues' },
        { id: 8, name: 'Pull requests' },
        { id: 9, name: 'Commits' },
        { id: 10, name: 'Trends' },
        { id: 11, name: 'Collections' },
      ],
    ]);
  });

  it('are replaced as a whole by a trusted user, also by the same or by no tags', async () => {
    const id = await seedQuestion(app.state, { userId: trusted });
    const [repositories, stars, trends] = [
      { id: 1, name: 'Repositories' },
      { id: 6, name: 'Stars' },
      { id: 10, name: 'Trends' },
    ];
    for (const [tagIds, expected] of [
      [
        [6, 1],
        [repositories, stars],
      ],
      [
        [6, 1, 6],
        [repositories, stars],
      ],
      [
        [10, 6],
        [stars, trends],
      ],
      [
        [1, 10],
        [repositories, trends],
      ],
      [[], []],
      [[], []],
    ] as const) {
      expect((await set(id, tagIds)).body).to.deep.equal(expected);
      expect((await app.ask(undefined, 'GET', tagsOf(id))).body).to.deep.equal(expected);
    }
    expect(await changesOf(app.state)).to.deep.equal(
      ['tags 1, 6', 'tags 6, 10', 'tags 1, 10', 'no tags'].map((detail) => [
        `user ${trusted}`,
        'set-tags',
        `question ${id}`,
        detail,
      ]),
    );
  });

  it('change for one question only', async () => {
    const [one, other] = [
      await seedQuestion(app.state, { userId: trusted, tags: [1] }),
      await seedQuestion(app.state, { userId: trusted, tags: [1, 2] }),
    ];
    await set(one, [3]);
    expect((await app.ask(undefined, 'GET', tagsOf(other))).body).to.deep.equal([
      { id: 1, name: 'Repositories' },
      { id: 2, name: 'Developers' },
    ]);
  });

  it('stay unchanged if some ids are unknown, and the error lists these ids', async () => {
    const id = await seedQuestion(app.state, { userId: trusted, tags: [2] });
    const several = await set(id, [1, 12, Number.MAX_SAFE_INTEGER]);
    expect(several.body).to.include({
      code: 'tag_not_found',
      status: 404,
      detail: 'Unknown tag ids: 12, 9007199254740991. GET /explorer/tags/ lists all tags.',
    });
    const one = await set(id, [12]);
    expect(one.body).to.include({ detail: 'Unknown tag ids: 12. GET /explorer/tags/ lists all tags.' });
    expect(await cellsOf(app.state, 'SELECT tag_id FROM explorer_question_tags')).to.deep.equal([['2']]);
  });

  it('are rejected if the list is malformed', async () => {
    const id = await seedQuestion(app.state, { userId: trusted });
    for (const tagIds of [[0], [-1], [1.5], ['1'], [null], [[1]], [1e300], 1, null, 'x', {}, range(11)]) {
      const { status, body } = await set(id, tagIds);
      expect([status, (body as { code: string }).code], JSON.stringify(tagIds)).to.deep.equal([400, 'bad_body']);
    }
    expect((await set(id, range(10))).status).to.equal(200);
    expect((await app.ask('trusted', 'POST', tagsOf(id), {})).status).to.equal(400);
  });

  it('are set only by trusted users', async () => {
    const id = await seedQuestion(app.state, { userId: trusted });
    expect((await set(id, [1], 'ordinary')).body).to.include({ code: 'not_trusted', status: 403 });
    expect((await app.ask(undefined, 'POST', tagsOf(id), { tagIds: [1] })).status).to.equal(401);
    expect(await cellsOf(app.state, 'SELECT tag_id FROM explorer_question_tags')).to.deep.equal([]);
  });

  it('of a question that does not exist are not found, for every text as the id', async () => {
    const id = await seedQuestion(app.state, { userId: trusted });
    for (const other of [
      randomUUID(),
      id.toUpperCase(),
      `${id}0`,
      '1',
      "'%20OR%201=1--",
      '%F0%9F%98%80',
      '%2e%2e%2f',
    ]) {
      for (const { status, body } of [await app.ask(undefined, 'GET', tagsOf(other)), await set(other, [1])]) {
        expect([status, (body as { code: string }).code], other).to.deep.equal([404, 'question_not_found']);
      }
    }
    expect((await app.ask(undefined, 'GET', tagsOf('%00'))).status).to.equal(400);
    expect((await app.ask(undefined, 'GET', tagsOf('%FF'))).status).to.equal(400);
  });

  it('are one of the given sets after concurrent changes', async () => {
    const id = await seedQuestion(app.state, { userId: trusted });
    const sets = Array.from({ length: 20 }, (_, index) => [1 + (index % 4), 5 + (index % 5)]);
    const statuses = await Promise.all(sets.map(async (tagIds) => (await set(id, tagIds)).status));
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    const rows = await cellsOf(app.state, 'SELECT tag_id FROM explorer_question_tags ORDER BY tag_id');
    expect(sets.map(String)).to.include(rows.map(([tag]) => Number(tag)).join(','));
  });
});

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index + 1);
}

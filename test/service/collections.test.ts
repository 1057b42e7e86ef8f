import { expect } from 'chai';
import type { QueryEnvelope } from '../../engine/http/envelopes/query-envelope.js';
import { onBothDatabases } from '../services/mysql.js';
import { type DemoService, startDemoService } from './demo-service.js';
import { FEW_ENDPOINTS, STARGAZERS } from './few-endpoints.js';

onBothDatabases('collections, groups, plans and names', tableAnswers);

function tableAnswers(database: () => Record<string, string>): void {
  let demo: DemoService;
  before(async () => {
    demo = await startDemoService({ ...database(), ENDPOINTS_DIR: `${FEW_ENDPOINTS},${STARGAZERS}` });
    await demo.store.write(async (tables) => {
      await tables.insertRows('collections', [[999, 'hidden', 0]]);
      await tables.insertRows('collection_items', [[9999, 999, 'a/b', 1, null, null]]);
      await tables.insertRows('collections', [[1000, 'zz empty', 1]]);
      await tables.insertRows('osdb_repos', [
        [2, 'b/b', 'relational'],
        [1, 'a/a', 'relational'],
        [3, 'c/c', 'graph'],
      ]);
    });
  });
  after(() => demo?.close());

  const envelope = async (path: string) => {
    const response = await demo.get(path);
    expect(response.status, path).to.equal(200);
    return (await response.json()) as QueryEnvelope;
  };

  it('lists the public collections', async () => {
    const { data, fields, params, spent } = await envelope('/collections');
    expect(fields.map(({ name }) => name)).to.deep.equal(['id', 'name', 'public']);
    expect(data.map(({ name }) => name))
      .to.include('zz empty')
      .and.not.include('hidden');
    expect(data.every((row) => row.public === 1 && typeof row.id === 'number')).to.equal(true);
    expect(params).to.deep.equal({});
    expect(spent).to.be.a('number');
  });

  it('lists the repositories of a collection', async () => {
    const { data, params } = await envelope('/collections/1/');
    expect(params).to.deep.equal({ collectionId: 1 });
    expect(data.length).to.be.greaterThan(0);
    expect(Object.keys(data[0] ?? {})).to.deep.equal(['id', 'collection_id', 'repo_id', 'repo_name']);
    expect(new Set(data.map((row) => row.collection_id))).to.deep.equal(new Set([1]));
    expect((await envelope('/collections/1000')).data).to.deep.equal([]);
  });

  it('answers 404 for private and for unknown collections', async () => {
    for (const id of [999, 123456, Number.MAX_SAFE_INTEGER]) {
      const response = await demo.get(`/collections/${id}/`);
      const { status, code, detail } = (await response.json()) as Record<string, unknown>;
      expect([status, code, detail]).to.deep.equal([
        404,
        'collection_not_found',
        `There is no public collection ${id}.`,
      ]);
    }
    for (const id of ['0', '-1', 'x', '1.5', '9007199254740992', "1'"]) {
      expect((await demo.get(`/collections/${encodeURIComponent(id)}/`)).status, id).to.equal(400);
    }
  });

  it('groups the repositories of open-source databases', async () => {
    const response = await demo.get('/qo/repos/groups/osdb/');
    expect(await response.json()).to.deep.equal([
      { group_name: 'graph', repos: [{ id: 3, name: 'c/c', group_name: 'graph' }] },
      {
        group_name: 'relational',
        repos: [
          { id: 1, name: 'a/a', group_name: 'relational' },
          { id: 2, name: 'b/b', group_name: 'relational' },
        ],
      },
    ]);
  });

  it('returns the plan of a named query', async () => {
    const { data, fields, params, sql } = await envelope('/q/explain/list-repos-of-collection/?collection_id=1');
    expect(params).to.include({ collection_id: 1 });
    expect(sql).to.match(/^SELECT/);
    expect(fields.length).to.be.greaterThan(0);
    expect(data.length).to.be.greaterThan(0);
  });

  it('rejects unknown names and unknown parameters', async () => {
    for (const path of ['/q/nothing', '/q/explain/nothing/']) {
      const { status, code } = (await (await demo.get(path)).json()) as Record<string, unknown>;
      expect([status, code]).to.deep.equal([404, 'query_not_found']);
    }
    const { detail } = (await (await demo.get('/q/list-colections')).json()) as { detail: string };
    expect(detail).to.equal(
      'There is no endpoint named list-colections (did you mean "list-collections"?). /openapi.json lists all endpoints.',
    );
    for (const path of ['/q/list-collections?x=1', '/q/explain/list-repos-of-collection/']) {
      expect((await demo.get(path)).status, path).to.equal(400);
    }
    expect((await demo.get('/q/explain/list-collections', { method: 'POST' })).status).to.equal(405);
  });

  const rowsOf = async (owner: string, repo: string) => {
    const path = [owner, repo].map(encodeURIComponent).join('/');
    const response = await demo.get(`/v1/repos/${path}/stargazers/history/`);
    const { data } = (await response.json()) as { data: { rows: readonly unknown[] } };
    return [response.status, data.rows.length > 0];
  };

  it('finds a repository by its name without regard to case, but only with exactly these characters', async () => {
    const [owner = '', repo = ''] = demo.repository.split('/');
    for (const [one, other] of [
      [owner, repo],
      [owner.toUpperCase(), repo.toUpperCase()],
    ] as const) {
      expect(await rowsOf(one, other)).to.deep.equal([200, true]);
    }
    for (const more of [' ', '  ', '\t', '\u00a0', '\u0301']) {
      expect(await rowsOf(owner, `${repo}${more}`), JSON.stringify(more)).to.deep.equal([200, false]);
      expect(await rowsOf(`${owner}${more}`, repo), JSON.stringify(more)).to.deep.equal([200, false]);
    }
  });
}

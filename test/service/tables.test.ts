import { expect } from 'chai';
import { toTableDetails } from '../../warehouse/reference/find-table.js';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';
import { askPlayground } from '../playground/two-playgrounds.js';
import { useSharedDemo, waitForPlayground } from './demo-service.js';

describe('the tables over HTTP', () => {
  const shared = useSharedDemo();
  before(() => waitForPlayground(shared.demo));

  const json = async (path: string) => {
    const response = await shared.demo.get(path);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const ask = (sql: string) => askPlayground(shared.demo, sql);

  it('are listed with their meaning, before a definition of this name is looked up', async () => {
    for (const path of ['/q/tables/', '/q/tables']) {
      const { status, body } = await json(path);
      expect(status).to.equal(200);
      expect(body.data).to.have.length(TABLE_REFERENCE.size);
      expect((body.data as object[])[0]).to.deep.equal({
        name: 'github_events',
        description: TABLE_REFERENCE.get('github_events')?.description,
        grain: 'event of the public feed',
        events: ['*'],
        since: TABLE_REFERENCE.get('github_events')?.since,
        freshness: TABLE_REFERENCE.get('github_events')?.freshness,
      });
    }
  });

  it('are described with their columns, in upper or lower case', async () => {
    for (const [name, table] of TABLE_REFERENCE) {
      expect(await json(`/q/tables/${name}/`)).to.deep.equal({ status: 200, body: toTableDetails(name, table) });
    }
    expect((await json('/q/tables/Mv_Repo_Stars')).body.columns).to.deep.include({
      name: 'day',
      type: 'DATE',
      unit: null,
      description: 'The day, in UTC. An account can have several days.',
    });
  });

  it('that do not exist are answered with 404 and the most similar name', async () => {
    const { status, body } = await json('/q/tables/github_event/');
    expect({ status, code: body.code, detail: body.detail }).to.deep.equal({
      status: 404,
      code: 'table_not_found',
      detail: 'There is no public table github_event (did you mean "github_events"?). /q/tables/ lists all tables.',
    });
    expect((await json('/q/tables/sys_users')).body.detail).to.match(/^There is no public table sys_users\. /);
    expect((await json('/q/tables/?x=1')).status).to.equal(400);
  });

  it('have examples that return rows', async () => {
    for (const [name, { example = '' }] of TABLE_REFERENCE) {
      const { status, body } = await ask(example);
      expect([status, body.detail], name).to.deep.equal([200, undefined]);
      // The demo data contain no repositories of open-source databases.
      if (name !== 'osdb_repos') expect(body.data, name).to.have.length.greaterThan(0);
    }
  });

  it('are shown by the playground without a query', async () => {
    const shown = await ask("SHOW TABLES LIKE 'mv_repo_s%'");
    expect(shown.status).to.equal(200);
    expect(shown.body.data).to.deep.equal([
      { name: 'mv_repo_stars', description: TABLE_REFERENCE.get('mv_repo_stars')?.description },
    ]);
    const described = await ask('describe COLLECTIONS;');
    expect(described.body.data).to.deep.equal([
      { name: 'id', type: 'BIGINT', unit: null, description: 'Id of the collection.' },
      { name: 'name', type: 'VARCHAR(255)', unit: null, description: 'Name of the collection.' },
      { name: 'public', type: 'TINYINT', unit: null, description: '1: everyone can read the collection.' },
    ]);
  });

  it('that the playground cannot show are rejected with line and column', async () => {
    const { status, body } = await ask('DESC\n  github_repo');
    const reason = 'There is no public table github_repo (did you mean "github_repos"?).';
    expect({ status, detail: body.detail, errors: body.errors }).to.deep.equal({
      status: 422,
      detail: `line 2, column 3: ${reason}`,
      errors: [{ reason, position: 7, line: 2, column: 3 }],
    });
    for (const sql of ['SHOW GRANTS', 'DESCRIBE sys_users', 'SHOW TABLES FROM mysql', 'DESC github_users email']) {
      const { status, body } = await ask(sql);
      expect([status, body.code], sql).to.deep.equal([422, 'sql_refused']);
    }
  });
});

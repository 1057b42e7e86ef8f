import { expect } from 'chai';
import { PUBLIC_TABLES } from '../../warehouse/public-tables.js';
import { startDefinitionService } from '../fast-path/definition-service.js';
import type { DemoService } from '../service/demo-service.js';
import { eventually } from '../services/eventually.js';
import { SERVER } from '../services/server.js';
import { ATTACKS } from './attacks.js';
import { testDrafts } from './test-drafts.js';
import { askPlayground, readDocumentedGrants, SECRET, useTwoPlaygrounds } from './two-playgrounds.js';

describe('the playground over HTTP', () => {
  const two = useTwoPlaygrounds();
  testDrafts(two);

  onBoth('returns rows with native values, and says whether there are more rows', async (service) => {
    const { status, body } = await askPlayground(
      service,
      'SELECT repo_id, stars, pushed_at, stars * 1.5 AS x FROM github_repos',
    );
    expect(status).to.equal(200);
    expect(Object.keys(body)).to.have.members([
      'requestedAt',
      'finishedAt',
      'spent',
      'sql',
      'fields',
      'data',
      'truncated',
      'notices',
    ]);
    expect(body.sql).to.equal('SELECT repo_id, stars, pushed_at, stars * 1.5 AS x FROM github_repos');
    expect((body.fields as { name: string }[]).map(({ name }) => name)).to.deep.equal([
      'repo_id',
      'stars',
      'pushed_at',
      'x',
    ]);
    expect(body.data).to.have.length.at.most(100);
    const [row] = body.data as Record<string, unknown>[];
    expect([typeof row?.repo_id, typeof row?.stars, typeof row?.x]).to.deep.equal(['number', 'number', 'number']);
  });

  onBoth('returns at most 100 rows', async (service) => {
    const all = await askPlayground(service, 'SELECT id FROM github_events');
    expect([(all.body.data as unknown[]).length, all.body.truncated]).to.deep.equal([100, true]);
    const few = await askPlayground(service, 'SELECT id FROM github_events LIMIT 99');
    expect([(few.body.data as unknown[]).length, few.body.truncated]).to.deep.equal([99, false]);
  });

  it('keeps all columns of the same name, and rejects names of JavaScript object properties', async () => {
    const service = two.embedded;
    const { body } = await askPlayground(service, "SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS 'b c'");
    expect(body.data).to.deep.equal([{ a: 1, a_3: 2, a_2: 3, 'b c': 4 }]);
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const { status, body } = await askPlayground(service, `SELECT * FROM (SELECT 1 AS ${name}) t`);
      expect([status, body.detail]).to.deep.equal([422, `line 1, column 28: the name ${name} is not allowed`]);
    }
  });

  onBoth('returns exact numbers, as text if a JSON number would lose digits', async (service) => {
    const { body } = await askPlayground(
      service,
      'SELECT 9007199254740993 AS big, 12345678901234567.89 AS exact, NULL AS nothing',
    );
    expect(body.data).to.deep.equal([{ big: '9007199254740993', exact: '12345678901234567.89', nothing: null }]);
  });

  onBoth('binds the id of the context', async (service) => {
    const context = { type: 'repo', id: 12 };
    expect((await askPlayground(service, 'SELECT :repo_id + 1 AS next', context)).body.data).to.deep.equal([
      { next: 13 },
    ]);
    const { status, body } = await askPlayground(service, 'SELECT :user_id', context);
    expect([status, body.code, body.detail]).to.deep.equal([
      422,
      'sql_refused',
      'line 1, column 9: no value is bound to :user_id; known: :repo_id',
    ]);
  });

  it('rejects attacks with 422', async () => {
    const service = two.embedded;
    // Statements about tables do not reach the guard; show-tables.test.ts tests them.
    const attacks = ATTACKS.filter(([sql], index) => index % 3 === 0 && !/^(SHOW|DESC)/.test(sql));
    for (const [sql, position, reason] of attacks) {
      const { status, body } = await askPlayground(service, sql);
      if (sql === '') {
        expect([status, body.code]).to.deep.equal([400, 'bad_body']);
        continue;
      }
      expect([status, body.code], sql).to.deep.equal([422, 'sql_refused']);
      const [error] = body.errors as { reason: string; position: number }[];
      expect([error?.position, error?.reason]).to.deep.equal([position, reason]);
    }
  });

  onBoth('returns no e-mail address and no private collection for any query', async (service) => {
    const questions = [
      'SELECT email FROM github_users',
      'SELECT u.email FROM github_users u',
      'SELECT `github_users`.`email` FROM github_users',
      'SELECT * FROM github_users',
      'SELECT u.* FROM github_users u',
      'SELECT github_users FROM github_users',
      'SELECT u FROM github_users u',
      'SELECT (SELECT email FROM github_users LIMIT 1) AS x FROM collections',
      'SELECT id FROM github_users ORDER BY email',
      "SELECT id FROM github_users WHERE email LIKE 'secret%'",
      'SELECT MAX(email) FROM github_users GROUP BY id',
      "SELECT GROUP_CONCAT(email SEPARATOR ',') FROM github_users",
      'SELECT COUNT(*) FROM github_users GROUP BY email',
      'SELECT * FROM github_users NATURAL JOIN github_users x',
      'SELECT * FROM github_users JOIN github_users b USING (email)',
      'SELECT x.c6 FROM (SELECT * FROM github_users) x',
      'WITH u (a, b, c, d, e, f) AS (SELECT * FROM github_users) SELECT f FROM u',
      'WITH u AS (SELECT * FROM github_users) SELECT email FROM u',
      'SELECT * FROM collections WHERE public = 0',
      "SELECT * FROM collections WHERE name LIKE 'hidden%'",
      'SELECT repo_name FROM collection_items WHERE collection_id = 999',
      'SELECT i.* FROM collection_items i LEFT JOIN collections c ON c.id = i.collection_id WHERE c.id IS NULL',
      'SELECT COUNT(*) AS hidden FROM collections HAVING hidden > 1000000',
    ];
    for (const sql of questions) {
      const { status, body } = await askPlayground(service, sql);
      expect([200, 422], `${sql}: ${body.detail}`).to.include(status);
      const answer = JSON.stringify({ ...body, sql: '' });
      expect(answer, sql).to.not.include(SECRET);
      expect(answer, sql).to.not.include('hidden-');
    }
  });

  onBoth('describes an error that the author can fix, and reveals nothing about the server', async (service) => {
    for (const sql of [
      'SELECT (SELECT id FROM github_events) AS x',
      'SELECT MAX(COUNT(*)) FROM github_events',
      'SELECT 9223372036854775807 + id FROM collections',
      "SELECT login FROM github_users WHERE login REGEXP '('",
    ]) {
      const { status, body } = await askPlayground(service, sql);
      expect([status, body.code], `${sql}: ${JSON.stringify(body)}`).to.deep.equal([422, 'sql_failed']);
      expect(body.detail)
        .to.be.a('string')
        .and.not.match(/test_[0-9a-f]{12}|127\.0\.0\.1|\/tmp|@|LINE 1/);
    }
  });

  it('checks the body', async () => {
    const service = two.embedded;
    for (const body of [
      {},
      { sql: 1 },
      { sql: 'SELECT 1', type: 'repo' },
      { sql: 'SELECT 1', id: 1 },
      { sql: 'SELECT 1', x: 1 },
    ]) {
      const response = await service.get('/q/playground/', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect([response.status, ((await response.json()) as { code: string }).code]).to.deep.equal([400, 'bad_body']);
    }
    expect((await service.get('/q/playground/')).status).to.equal(405);
  });

  onBoth('returns 503 while all its connections are busy, and recovers when callers disconnect', async (service) => {
    const leaving = new AbortController();
    const sql =
      'SELECT SUM(LENGTH(CONCAT(a.repo_name, b.repo_name, c.repo_name))) FROM github_events a, github_events b, github_repos c';
    const ask = () =>
      service
        .get('/q/playground/', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ sql }),
          signal: leaving.signal,
        })
        .catch(() => undefined);
    const busy = [ask(), ask()];
    let rejected = await askPlayground(service, 'SELECT 1');
    // The two queries can arrive later than this one.
    await eventually(async () => {
      if (rejected.status === 200) rejected = await askPlayground(service, 'SELECT 1');
      return rejected.status !== 200;
    });
    expect([rejected.status, rejected.body.code]).to.deep.equal([503, 'overloaded']);
    leaving.abort();
    await Promise.all(busy);
    await eventually(async () => (await askPlayground(service, 'SELECT 1')).status === 200);
  });

  it('limits the requests of one address to the setting, also for rejected SQL', async () => {
    const limited = await startDefinitionService({ PLAYGROUND_PER_MINUTE: '3' });
    const get = (path: string, init: RequestInit = {}) => fetch(limited.url + path, init);
    try {
      const statuses: number[] = [];
      for (const sql of ['SHOW TABLES', 'SELECT SLEEP(1)', 'SHOW TABLES', 'SHOW TABLES']) {
        statuses.push((await askPlayground({ get }, sql)).status);
      }
      expect(statuses).to.deep.equal([200, 422, 200, 429]);
    } finally {
      await limited.close();
    }
  });

  it('has a documented account that may read only the public tables', async () => {
    const granted = (await readDocumentedGrants()).slice(1).map((statement) => {
      const [, columns, table = ''] = /^GRANT SELECT(?: \((.*)\))? ON insight\.(\w+) TO/.exec(statement) ?? [];
      return [table, columns?.split(', ')] as const;
    });
    expect(granted.map(([table]) => table)).to.deep.equal([...PUBLIC_TABLES.keys()]);
    const users = granted.find(([table]) => table === 'github_users');
    expect(users?.[1]).to.deep.equal(PUBLIC_TABLES.get('github_users')?.columns);
  });

  /** Defines the test for both databases. */
  function onBoth(title: string, test: (service: DemoService) => Promise<void>): void {
    it(`${title}, on DuckDB`, () => test(two.embedded));
    it(`${title}, on ${SERVER}`, () => test(two.served));
  }
});

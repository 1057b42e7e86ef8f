import { expect } from 'chai';
import { openMysql } from '../../../engine/databases/mysql/database.js';
import { execute, useMysql } from '../../services/mysql.js';
import { IS_TIDB, itExceptOnTidb } from '../../services/server.js';
import { errorOf, loggedOf, messageOf } from '../failures.js';

const SOON = { maxRows: 10, timeoutMs: 600_000 };
const PASSWORD = "p@ss:w/o?rd#%'";

describe('accounts for reading a MySQL-protocol database', () => {
  const server = useMysql();
  const user = () => server.name.replace('test_', 'u_');
  const role = () => server.name.replace('test_', 'r_');
  const url = (password = PASSWORD) => {
    const changed = new URL(server.url);
    changed.username = user();
    return changed.href.replace(`${user()}@`, `${user()}:${encodeURIComponent(password)}@`);
  };
  const admin = (...statements: string[]) => execute(server.url, ...statements);

  before(async () => {
    await admin('CREATE TABLE t (id INT, secret INT)', 'INSERT INTO t VALUES (1, 2)');
  });
  beforeEach(() => admin(`CREATE USER ${user()}@'%' IDENTIFIED BY '${PASSWORD.replaceAll("'", "''")}'`));
  afterEach(() => admin(`DROP USER ${user()}@'%'`, `DROP ROLE IF EXISTS ${role()}`));

  it('can read, with any characters in the password', async () => {
    await admin(
      `GRANT SELECT, SHOW VIEW ON ${server.name}.* TO ${user()}@'%'`,
      `GRANT PROCESS ON *.* TO ${user()}@'%'`,
    );
    const database = await openMysql({ url: url() });
    expect((await database.query({ sql: 'SELECT id FROM t' }, [], SOON)).rows).to.deep.equal([[1]]);
    await database.close();
  });

  it('can read a view, and need SHOW VIEW only for its plan', async () => {
    await admin('CREATE VIEW public_t AS SELECT id FROM t', `GRANT SELECT ON ${server.name}.* TO ${user()}@'%'`);
    const plan = async (sql: string) => {
      const database = await openMysql({ url: url() });
      try {
        return await database.explain({ sql }, [], SOON);
      } finally {
        await database.close();
      }
    };
    const sql = 'SELECT v.id FROM public_t v';
    expect(await plan(sql)).to.deep.equal({
      columns: [{ name: 'Extra', type: 'VARCHAR' }],
      rows: [['The plan of a view is hidden: this account needs the privilege SHOW VIEW.']],
      more: false,
    });
    expect(await messageOf(plan('SELECT v.secret FROM public_t v'))).to.include('unknown column "v.secret"');
    await admin(`GRANT SHOW VIEW ON ${server.name}.* TO ${user()}@'%'`);
    expect((await plan(sql)).columns.length).to.be.greaterThan(1);
    await admin('DROP VIEW public_t');
  });

  it('are rejected if they can write, unless this is allowed', async () => {
    await admin(
      `GRANT SELECT, INSERT, ALTER ON ${server.name}.* TO ${user()}@'%'`,
      `GRANT SELECT (id), UPDATE (secret) ON ${server.name}.t TO ${user()}@'%' WITH GRANT OPTION`,
      `GRANT FILE ON *.* TO ${user()}@'%'`,
    );
    const error = await errorOf(openMysql({ url: url() }));
    expect(error.name).to.equal('WritingAccountError');
    const [, held = ''] = /but it has (.*?)\. The grants/.exec(error.message) ?? [];
    expect(held.split(', ').sort()).to.deep.equal(['ALTER', 'FILE', 'GRANT OPTION', 'INSERT', 'UPDATE']);
    expect(error.message).to.include('GRANT SELECT ON').and.to.include('DATABASE_ALLOW_WRITING_ACCOUNT=yes');
    const database = await openMysql({ url: url(), allowWritingAccount: true });
    await database.close();
  });

  it('are rejected if a role can write, also one that is not active', async () => {
    await admin(
      `CREATE ROLE ${role()}`,
      `GRANT SELECT ON ${server.name}.* TO ${role()}`,
      `GRANT SELECT ON ${server.name}.* TO ${user()}@'%'`,
      `GRANT ${role()} TO ${user()}@'%'`,
    );
    const database = await openMysql({ url: url() });
    await database.close();
    await admin(`GRANT DELETE ON ${server.name}.t TO ${role()}`);
    expect(await messageOf(openMysql({ url: url() }))).to.contain('it has DELETE.');
    await admin(`SET DEFAULT ROLE ${role()} ${IS_TIDB ? 'TO' : 'FOR'} ${user()}@'%'`);
    expect(await messageOf(openMysql({ url: url() }))).to.contain('it has DELETE.');
  });

  it('only run SELECT statements, even if they could write', async () => {
    await admin(`GRANT ALL ON ${server.name}.* TO ${user()}@'%'`);
    const database = await openMysql({ url: url(), allowWritingAccount: true });
    const rejected = [
      'INSERT INTO t VALUES (5, 6)',
      'SELECT 1 AS a; DELETE FROM t',
      "SELECT id FROM t INTO OUTFILE '/tmp/t'",
      'SELECT id INTO @a FROM t',
      'SELECT id FROM t FOR UPDATE',
      'CREATE TEMPORARY TABLE x (id INT)',
      'SET SESSION TRANSACTION READ WRITE',
      'CALL sneak()',
      'EXPLAIN SELECT 1',
      "LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE t",
      'SELECT 1 /*! INTO @a */',
      'SELECT 1 /*M! INTO @a */',
      'SELECT 1 --0 INTO @a',
      'SELECT 1 /* /* */ INTO @a /* */ */',
      'SELECT 1 AS $$ INTO @a -- $$',
      'DO 1',
      'WITH x AS (DELETE FROM t RETURNING id) SELECT id FROM x',
    ];
    for (const sql of rejected) expect(await errorOf(database.query({ sql }, [], SOON)), sql).to.be.an('error');
    await database.close();
    expect(await admin('SELECT * FROM t')).to.deep.equal([{ id: 1, secret: 2 }]);
  });

  itExceptOnTidb(
    'it has no stored functions',
    'cannot write through a function, because the session is read-only',
    async () => {
      await admin(
        `GRANT ALL ON ${server.name}.* TO ${user()}@'%'`,
        `CREATE FUNCTION ${server.name}.sneak() RETURNS INT MODIFIES SQL DATA BEGIN INSERT INTO t VALUES (3, 4); RETURN 1; END`,
      );
      const database = await openMysql({ url: url(), allowWritingAccount: true });
      expect(await errorOf(database.query({ sql: 'SELECT sneak() AS a' }, [], SOON))).to.be.an('error');
      await database.close();
      expect(await admin('SELECT * FROM t')).to.deep.equal([{ id: 1, secret: 2 }]);
    },
  );

  it('do not appear in errors', async () => {
    const texts = await Promise.all([
      loggedOf(openMysql({ url: url('another') })),
      loggedOf(openMysql({ url: url().replace(/:\d+\//, ':1/') })),
      loggedOf(openMysql({ url: url().replace('/test_', '/none_') })),
      loggedOf(openMysql({ url: `${url()}?ssl=perhaps` })),
      loggedOf(openMysql({ url: url().replace(/:\d+\//, ':port/') })),
    ]);
    for (const text of texts) expect(text).to.not.match(/p@ss|p%40ss|another/);
    expect(texts[0]).to.match(/^The database at .*:\d+ cannot be reached: it rejects this account or password\.$/);
    expect(texts[1]).to.match(/^The database at .*:1 cannot be reached: no server listens on this port\.$/);
  });
});

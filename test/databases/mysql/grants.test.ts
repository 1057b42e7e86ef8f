import { expect } from 'chai';
import {
  parseGrantedRoles,
  parseWritingGrant,
  requireReadingAccount,
} from '../../../engine/databases/mysql/connection/grants.js';
import { openMysql } from '../../../engine/databases/mysql/database.js';
import { startMariaDb } from '../../services/mariadb.js';
import { execute, needServer, withDatabase } from '../../services/mysql.js';
import { type DatabaseServer, describeExceptOnTidb } from '../../services/server.js';
import { messageOf } from '../failures.js';

const PASSWORD = 'reader-secret';
const PATTERN = 'GRANT ALL PRIVILEGES ON `test\\_%`.* TO PUBLIC';
const TEST =
  'GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, REFERENCES, INDEX, ALTER, CREATE TEMPORARY TABLES, LOCK TABLES, ' +
  'CREATE VIEW, SHOW VIEW, CREATE ROUTINE, EVENT, TRIGGER ON `test`.* TO PUBLIC';

describeExceptOnTidb(
  'it has no PUBLIC',
  'grants on a stock MariaDB, where PUBLIC has all rights on `test` and `test\\_%`',
  () => {
    let server: DatabaseServer;
    const admin = (...statements: string[]) => execute(server.url, ...statements);
    const open = (database: string) => {
      const url = new URL(withDatabase(server.url, encodeURIComponent(database)));
      return openMysql({ url: Object.assign(url, { username: 'reader', password: PASSWORD }).href });
    };
    const accepts = async (database: string) => (await open(database)).close();
    const rejects = async (database: string) => {
      const message = await messageOf(open(database));
      expect(message).to.not.match(/IDENTIFIED|\*[0-9A-F]{40}|reader-secret/);
      return message;
    };
    const revoked = async (message: string) => {
      const [, statement = ''] = /For example, run: (REVOKE .*?);/.exec(message) ?? [];
      await admin(statement);
      return statement;
    };

    needServer();
    before(async () => {
      server = await startMariaDb();
      await admin(TEST, PATTERN);
    });
    after(() => server?.remove());
    beforeEach(async () => {
      for (const database of ['insight', 'other', 'test', 'test_insight', 'dé']) {
        await admin(`CREATE DATABASE \`${database}\``, `CREATE TABLE \`${database}\`.t (id INT, secret INT)`);
      }
      await admin(`CREATE USER reader IDENTIFIED BY '${PASSWORD}'`, 'GRANT SELECT ON *.* TO reader');
    });
    afterEach(async () => {
      for (const database of ['insight', 'other', 'test', 'test_insight', 'dé']) {
        await admin(`DROP DATABASE \`${database}\``);
      }
      await admin('DROP USER reader', 'DROP ROLE IF EXISTS inner_role, outer_role');
    });

    it('are ignored on other databases, their tables and their routines', async () => {
      await admin(
        'CREATE PROCEDURE other.p() SELECT 1',
        'GRANT INSERT, DROP ON other.* TO reader WITH GRANT OPTION',
        'GRANT INSERT, UPDATE (secret) ON other.t TO reader',
        'GRANT EXECUTE ON PROCEDURE other.p TO reader',
        'GRANT DELETE ON `insight\\_%`.* TO reader',
      );
      await accepts('insight');
      expect(await rejects('other'))
        .to.contain('DROP')
        .and.to.contain('EXECUTE');
    });

    it('are named in the message if PUBLIC has them, and the REVOKE statement of the message works', async () => {
      const message = await rejects('test');
      expect(message).to.contain(' ON `test`.* TO PUBLIC, held by PUBLIC (every account)');
      const statement = await revoked(message);
      expect(statement).to.match(/^REVOKE INSERT, .* ON `test`\.\* FROM PUBLIC$/);
      await accepts('test');
      await admin(TEST);
    });

    it('are rejected with a pattern that matches the database', async () => {
      const message = await rejects('test_insight');
      expect(message).to.contain(' ON `test\\_%`.* TO PUBLIC, held by PUBLIC (every account)');
      await revoked(message);
      await accepts('test_insight');
      await admin(PATTERN);
      await admin('GRANT INSERT ON `d__`.* TO reader');
      await execute(
        withDatabase(server.url, 'other').replace('root@', `reader:${PASSWORD}@`),
        'INSERT INTO `dé`.t VALUES (1, 1)',
      );
      expect(await rejects('dé')).to.contain(
        'GRANT INSERT ON `d__`.* TO `reader`@`%`, held by the account `reader`@`%`.',
      );
      await accepts('insight');
    });

    it('are rejected on a table and on columns of the database', async () => {
      await admin('GRANT SELECT (id), UPDATE (secret) ON insight.t TO reader');
      const message = await rejects('insight');
      expect(message).to.contain('held by the account `reader`@`%`');
      expect(await revoked(message)).to.equal('REVOKE UPDATE (`secret`) ON `insight`.`t` FROM `reader`@`%`');
      await accepts('insight');
    });

    it('are rejected on everything and on the accounts of the server, without the password in the message', async () => {
      await admin('GRANT FILE ON *.* TO reader WITH GRANT OPTION');
      const message = await rejects('insight');
      expect(message).to.contain('GRANT SELECT, FILE ON *.* TO `reader`@`%` WITH GRANT OPTION, held by the account');
      expect(await revoked(message)).to.equal('REVOKE FILE, GRANT OPTION ON *.* FROM `reader`@`%`');
      await accepts('insight');
      await admin('GRANT UPDATE ON mysql.* TO reader');
      expect(await rejects('insight')).to.contain('GRANT UPDATE ON `mysql`.* TO `reader`@`%`');
    });

    it('are named in the message with the inner role if they belong to a role within a role', async () => {
      await admin(
        'CREATE ROLE inner_role',
        'CREATE ROLE outer_role',
        'GRANT inner_role TO outer_role',
        'GRANT outer_role TO reader',
        'GRANT DELETE ON other.* TO inner_role',
      );
      await accepts('insight');
      await admin('GRANT DELETE ON insight.* TO inner_role');
      const message = await rejects('insight');
      expect(message).to.contain('GRANT DELETE ON `insight`.* TO `inner_role`, held by the role `inner_role`.');
      expect(await revoked(message)).to.equal('REVOKE DELETE ON `insight`.* FROM `inner_role`');
      await accepts('insight');
    });

    it('are rejected if they belong to a role of PUBLIC', async () => {
      await admin('CREATE ROLE inner_role', 'GRANT SELECT ON insight.* TO inner_role', 'GRANT inner_role TO PUBLIC');
      await accepts('insight');
      await admin('GRANT DELETE ON insight.t TO inner_role');
      expect(await rejects('insight')).to.contain('held by the role `inner_role`.');
    });
  },
);

describe('grants on MySQL, which adds the grants of roles to the lines of the account', () => {
  const OWN = ['GRANT USAGE ON *.* TO `u`@`%`', 'GRANT SELECT ON `d`.* TO `u`@`%`', 'GRANT `r`@`%`,`w`@`%` TO `u`@`%`'];
  const ANSWERS: Record<string, string[]> = {
    'SET ROLE NONE': [],
    'SHOW GRANTS': OWN,
    'SHOW GRANTS FOR CURRENT_USER() USING `r`@`%`': [...OWN, 'GRANT INSERT ON `e`.* TO `u`@`%`'],
    'SHOW GRANTS FOR CURRENT_USER() USING `w`@`%`': [...OWN, 'GRANT SELECT, INSERT ON `d`.* TO `u`@`%`'],
  };
  const check = (answers: Record<string, string[]>) => {
    const run = async (sql: string) => (answers[sql] ?? []).map((line) => [line]);
    return requireReadingAccount({ flavor: 'mysql', run }, 'db:3306', 'd');
  };

  it('are reported for the role if the account itself has none', async () => {
    expect(await messageOf(check(ANSWERS))).to.equal(
      'The account for reading the database d at db:3306 must only be able to read, but it has INSERT. The grants are: GRANT ' +
        'SELECT, INSERT ON `d`.* TO `u`@`%`, held by the role `w`@`%` (or a role within it). For example, run: REVOKE INSERT ' +
        'ON `d`.* FROM `w`@`%`; as an administrator. Create an account that only has SELECT (GRANT SELECT ON `database`.* TO ' +
        '…), or allow the account of DATABASE_URL to write with DATABASE_ALLOW_WRITING_ACCOUNT=yes.',
    );
  });

  it('are reported for the account if it has them', async () => {
    const own = [...OWN, 'GRANT EVENT ON `d`.* TO `u`@`%`'];
    const message = await messageOf(check({ ...ANSWERS, 'SHOW GRANTS': own }));
    expect(message).to.contain('GRANT EVENT ON `d`.* TO `u`@`%`, held by the account `u`@`%`. For example');
  });

  it('are rejected if the server does not show them', async () => {
    expect(await messageOf(check({}))).to.contain('The server at db:3306 does not show the grants of the account');
    await check({ ...ANSWERS, 'SHOW GRANTS': OWN.slice(0, 2) });
  });
});

describe('lines of SHOW GRANTS', () => {
  it('are parsed in the forms of MariaDB, MySQL and TiDB', () => {
    const cases: [string, string[], string[]][] = [
      ["GRANT USAGE ON *.* TO `u`@`%` IDENTIFIED BY PASSWORD '*D8'", [], []],
      ['GRANT SELECT ON `a ON b`.* TO `u`@`%`', [], []],
      ['GRANT SELECT (`a)`, `GRANT`), INSERT (`b`) ON `d`.`t` TO `u`@`%`', ['INSERT'], []],
      ['GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost` WITH GRANT OPTION', ['ALL PRIVILEGES', 'GRANT OPTION'], []],
      ["GRANT PROXY ON ''@'%' TO 'root'@'localhost' WITH GRANT OPTION", ['PROXY', 'GRANT OPTION'], []],
      ['GRANT BACKUP_ADMIN,ROLE_ADMIN ON *.* TO `u`@`%`', ['BACKUP_ADMIN', 'ROLE_ADMIN'], []],
      ['GRANT EXECUTE ON FUNCTION `d`.`f` TO `u`@`%`', ['EXECUTE'], []],
      ['GRANT EXECUTE ON PACKAGE BODY `d`.`f` TO `u`@`%`', ['EXECUTE'], []],
      ['GRANT EXECUTE ON PACKAGE BODY `e`.`f` TO `u`@`%`', [], []],
      ['GRANT SELECT, INSERT ON `e`.* TO `u`@`%` WITH GRANT OPTION', [], []],
      ["GRANT SELECT(a), UPDATE(b) ON `d`.`t` TO 'u'@'%'", ['UPDATE'], []],
      ["GRANT SELECT,INSERT ON `d`.* TO 'u'@'%'", ['INSERT'], []],
      ["GRANT INSERT ON `D`.* TO 'u'@'%'", ['INSERT'], []],
      ['GRANT INSERT ON d.* TO u@%', ['INSERT'], []],
      ['GRANT SELECT ON d.* TO u@%', [], []],
      ['GRANT `r1`@`%`,`r 2`@`%` TO `u`@`%`', [], ['`r1`@`%`', '`r 2`@`%`']],
      ["GRANT 'r1'@'%' TO 'u'@'%'", [], ["'r1'@'%'"]],
      ['GRANT `w` TO `u`@`%` WITH ADMIN OPTION', [], ['`w`']],
      ['GRANT `w` TO PUBLIC', [], []],
      ['GRANT `w` TO `r@x`', [], []],
      ['SET DEFAULT ROLE `r2` FOR `u`@`%`', [], []],
      ['REVOKE INSERT ON `mysql`.* FROM `u`@`%`', [], []],
      ['PERMIT EVERYTHING', ['an unknown grant (PERMIT EVERYTHING …)'], []],
    ];
    for (const [line, privileges, roles] of cases) {
      expect([parseWritingGrant(line, 'd')?.privileges ?? [], parseGrantedRoles(line)], line).to.deep.equal([
        privileges,
        roles,
      ]);
    }
  });

  it('name a database, or match several by a pattern if they are about whole databases', () => {
    const cases: [string, string, boolean][] = [
      ['`a_c`.*', 'abc', true],
      ['`a\\_c`.*', 'abc', false],
      ['`a\\_c`.*', 'a_c', true],
      ['`a\\%`.*', 'abc', false],
      ['`a%`.*', 'a', true],
      ['`%c`.*', 'abc\ncc', true],
      ['`a.c`.*', 'abc', false],
      ['`a``%`.*', 'a`c', true],
      ['"a""%".*', 'a"c', true],
      ['`a\\`.*', 'a\\', true],
      ['`ab_`.*', 'abé', true],
      ['`ab__`.*', 'abé', true],
      ['`ab__`.*', 'abc', false],
      ['`a_c`.`t`', 'abc', false],
      ['`a_c`.`t`', 'a_c', true],
      ['`m%`.*', 'abc', true],
    ];
    for (const [object, database, counts] of cases) {
      const grant = parseWritingGrant(`GRANT INSERT ON ${object} TO \`u\`@\`%\``, database);
      expect(grant !== undefined, `${object} ${database}`).to.equal(counts);
    }
  });

  it('are in messages with their holder and without passwords', () => {
    const hash = `'*${'D'.repeat(40)}'`;
    const cases: [string, string, string][] = [
      [
        `GRANT FILE ON *.* TO \`u\`@\`%\` IDENTIFIED BY PASSWORD ${hash} REQUIRE SSL WITH GRANT OPTION MAX_USER_CONNECTIONS 5`,
        'GRANT FILE ON *.* TO `u`@`%` WITH GRANT OPTION',
        'the account `u`@`%`',
      ],
      [
        `GRANT FILE ON *.* TO \`u\`@\`%\` IDENTIFIED VIA unix_socket OR mysql_native_password USING ${hash}`,
        'GRANT FILE ON *.* TO `u`@`%`',
        'the account `u`@`%`',
      ],
      [`GRANT FILE ON *.* TO u@% IDENTIFIED BY PASSWORD ${hash}`, 'GRANT FILE ON …', 'the account or one of its roles'],
      ['GRANT DROP ON `d`.* TO `r@x`', 'GRANT DROP ON `d`.* TO `r@x`', 'the role `r@x`'],
      ['GRANT DROP ON `d`.* TO PUBLIC', 'GRANT DROP ON `d`.* TO PUBLIC', 'PUBLIC (every account)'],
    ];
    for (const [line, text, heldBy] of cases) {
      expect(parseWritingGrant(line, 'd'), line).to.include({ text, heldBy });
    }
  });
});

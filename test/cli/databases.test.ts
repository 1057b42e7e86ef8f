import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import type { Warehouse } from '../../server/databases/warehouse.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { readMigrations } from '../../warehouse/schema/migrations.js';
import { copyEmptyFile, copyEmptyTables } from '../service/demo-data.js';
import { execute, useMysql } from '../services/mysql.js';
import { IS_TIDB } from '../services/server.js';
import { run } from './command-line.js';
import { openHere, runHere } from './commands-here.js';

const DEFINITION = `name: collection-names
summary: Names of the collections
params:
  is_public: { in: query, type: boolean, default: true, description: Public ones or the others. }
columns:
  - { col: name, data_type: VARCHAR, nullable: false, description: Name }
sql: SELECT name FROM collections WHERE public = {{ is_public }} ORDER BY name
examples:
  - { name: public ones, params: {} }
`;

/** An endpoint whose example has no rows in the test data. */
const NAMED = `name: collection-named
summary: A collection of a name
params:
  name: { in: query, type: string, required: true, description: Its name. }
columns:
  - { col: name, data_type: VARCHAR, nullable: false, description: Name }
sql: SELECT name FROM collections WHERE name = {{ name }}
examples:
  - { name: none, params: { name: Nowhere } }
`;

const SAME = `same collection-named: 4 requests, 1 rows, 0 differ
same collection-names: 3 requests, 5 rows, 0 differ
`;

describe('the command line over other databases', () => {
  const server = useMysql();
  let folder: string;
  let environment: Record<string, string>;
  let main: Warehouse;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-cli-'));
    environment = {
      DATA_DIR: join(folder, 'data'),
      ENDPOINTS_DIR: join(folder, 'endpoints'),
      DATABASE_URL: file('main'),
      DATABASE_ALLOW_WRITING_ACCOUNT: 'yes',
    };
    await mkdir(join(folder, 'endpoints'));
    await writeFile(join(folder, 'endpoints', 'collection-names.yaml'), DEFINITION);
    await writeFile(join(folder, 'some.yaml'), COLLECTIONS.replace('Third', 'Second'));
    await writeFile(join(folder, 'others.yaml'), COLLECTIONS);
    for (const name of ['main', 'other']) await copyEmptyFile(join(folder, `${name}.duckdb`));
    await copyEmptyTables(server.url);
    for (const [url, collections] of [
      [file('main'), 'some.yaml'],
      [file('other'), 'others.yaml'],
      [server.url, 'some.yaml'],
    ] as const) {
      const { err, code } = await run(['data', 'collections', join(folder, collections)], {
        environment: { ...environment, DATABASE_URL: url },
      });
      expect([code, err]).to.deep.equal([0, '']);
    }
    main = await openHere(environment);
  });
  after(async () => {
    await main.close();
    await rm(folder, { recursive: true });
  });

  const file = (name: string) => `duckdb:${join(folder, `${name}.duckdb`)}`;
  /** Runs a command as a service does that has the database of the settings open. */
  const endpoint = (...words: string[]) =>
    runHere(['endpoint', ...words], readSettings(environment), main, { cwd: folder });
  const against = async (url: string) => {
    const { code, out, err } = await endpoint('test', '--all', '--against', url);
    return [code, out, err];
  };

  it('tests, explains and runs an endpoint on the database that an option names', async () => {
    const test = await endpoint('test', 'collection-names', '--json', '--database-url', server.url);
    expect([test.code, JSON.parse(test.out)[0].ok]).to.deep.equal([0, true]);
    const shown = await endpoint('explain', 'collection-names', '--database-url', server.url);
    const [head, line] = IS_TIDB
      ? [/│ id +│ +estRows │/, /│ table:collections/]
      : [/│ select_type +│.*│ rows +│/, /│ SIMPLE +│ collections +│/];
    expect(shown.out).to.match(head).and.to.match(line);
    const plan = await endpoint('explain', 'collection-names', '--json', '--database-url', server.url);
    expect(JSON.parse(plan.out).sql).to.match(/^SELECT name FROM collections WHERE public = :p1/);
    const answer = await endpoint('run', 'collection-names', '--json', '--database-url', file('other'));
    expect(JSON.parse(answer.out).data.rows).to.deep.equal([{ name: 'First' }, { name: 'Third' }]);
  });

  it('tests an endpoint on a view with an account that has only SELECT', async () => {
    const reader = `reader_${server.name}`;
    await execute(
      server.url,
      'CREATE VIEW shown_collections AS SELECT name FROM collections WHERE public = 1',
      `CREATE USER ${reader}`,
      `GRANT SELECT ON ${server.name}.* TO ${reader}`,
    );
    const path = join(folder, 'shown.yaml');
    const select = 'SELECT name FROM shown_collections ORDER BY name';
    await writeFile(
      path,
      `${DEFINITION.slice(0, DEFINITION.indexOf('params:'))}${DEFINITION.slice(DEFINITION.indexOf('columns:'))}`.replace(
        /^sql: .*$/m,
        `sql: ${select}`,
      ),
    );
    const url = Object.assign(new URL(server.url), { username: reader, password: '' }).href;
    const test = await endpoint('test', 'shown.yaml', '--json', '--database-url', url);
    await execute(server.url, 'DROP VIEW shown_collections', `DROP USER ${reader}`);
    const [{ ok, rows } = {}] = JSON.parse(test.out) as { ok?: boolean; rows?: unknown }[];
    expect([test.code, ok, rows]).to.deep.equal([0, true, [{ name: 'First' }, { name: 'Second' }]]);
  });

  it('finds no difference between databases with the same rows', async () => {
    const same = 'same collection-names: 3 requests, 5 rows, 0 differ\n';
    expect(await against(server.url)).to.deep.equal([0, same, '3 requests, 5 rows, 0 differ\n']);
  });

  it('prints where two databases differ, and exits with 1', async () => {
    const [code, out] = await against(file('other'));
    expect(code).to.equal(1);
    expect(out).to.include('differs collection-names: 3 requests, 5 rows, 2 differ');
    expect(out).to.include('is_public=true: row 2, name: "Second" and "Third"');
  });

  describe('without data for the examples', () => {
    const test = (...more: string[]) => endpoint('test', '--all', '--against', server.url, ...more);
    before(() => writeFile(join(folder, 'endpoints', 'collection-named.yaml'), NAMED));
    after(() => rm(join(folder, 'endpoints', 'collection-named.yaml')));

    it('reports that nothing was compared', async () => {
      const { code, out, err } = await test();
      expect([code, out]).to.deep.equal([0, SAME.replace('4 requests, 1', '2 requests, 0')]);
      expect(err).to.include(
        'no request returned rows, so nothing was compared; pass values that exist in the data with --param',
      );
    });

    it('accepts values that exist in the data, for the endpoints with such a parameter', async () => {
      const { code, out, err } = await test('--param', 'name=Second');
      expect([code, out, err]).to.deep.equal([0, SAME, '7 requests, 6 rows, 0 differ\n']);
      const alone = await endpoint('test', 'collection-named', '-p', 'name=Second', '--json');
      expect([alone.code, JSON.parse(alone.out)[0].rows]).to.deep.equal([0, [{ name: 'Second' }]]);
    });

    it('rejects values of unknown parameters, and invalid values', async () => {
      const unknown = await test('--param', 'nam=x');
      expect([unknown.code, unknown.err]).to.deep.equal([2, '--param: expected one of name, is_public, got "nam".\n']);
      const wrong = await test('--param', 'name=');
      expect([wrong.code, wrong.err]).to.deep.equal([2, 'name must be text of 1 to 255 characters, got ""\n']);
    });
  });

  it('opens only existing databases, and prints no password', async () => {
    const rejections = [
      [file('nowhere'), /^There is no database \S+nowhere\.duckdb\.\n$/],
      ['mysql://u:secret@h:port/x', /^--against: expected mysql:.*, got "mysql:\/\/u:\*\*\*@h:port\/x"\n$/],
      [
        server.url.replace(/:\d+\//, ':1/'),
        /^The database at \S+:1 cannot be reached: no server listens on this port\.\n$/,
      ],
    ] as const;
    for (const [url, message] of rejections) {
      const [code, out, err] = await against(url);
      expect([code, out]).to.deep.equal([2, '']);
      expect(err).to.match(message);
    }
  });

  it('does not change another file with older tables, and prints the missing version', async () => {
    const path = join(folder, 'older.duckdb');
    await copyFile(join(folder, 'other.duckdb'), path);
    const newest = (await readMigrations()).length;
    await change(path, `DELETE FROM schema_versions WHERE version = ${newest}`);
    const before = await readFile(path);
    const older = await endpoint('run', 'collection-names', '--database-url', file('older'));
    expect([older.code, older.out]).to.deep.equal([2, '']);
    const needed = `this program needs version ${newest}. Run \`data migrate\``;
    expect((await readFile(path)).equals(before)).to.equal(true);
    expect(older.err).to.include(`The tables have version ${newest - 1}; ${needed}`);
    await change(path, 'DROP TABLE schema_versions');
    const none = await endpoint('explain', 'collection-names', '--database-url', file('older'));
    expect(none.err).to.include(`The tables of this program do not exist; ${needed}`);
    expect(await against(file('older'))).to.deep.equal([2, '', none.err]);
  });

  it('warns if the write-ahead log of another file cannot be read', async () => {
    const path = join(folder, 'cut.duckdb');
    await copyFile(join(folder, 'other.duckdb'), path);
    await writeFile(`${path}.wal`, 'not a log');
    const { code, err } = await endpoint('run', 'collection-names', '--database-url', file('cut'));
    expect(code).to.equal(0);
    expect(err).to.include(
      `The write-ahead log ${path}.wal (9 bytes) is discarded: it is damaged or belongs to another program.`,
    );
  });

  it('rejects tables of another version', async () => {
    await execute(
      server.url,
      'CREATE TABLE kept LIKE schema_versions',
      'INSERT INTO kept SELECT * FROM schema_versions',
      'DELETE FROM schema_versions',
    );
    const [code, , err] = await against(server.url);
    await execute(server.url, 'INSERT INTO schema_versions SELECT * FROM kept', 'DROP TABLE kept');
    expect(code).to.equal(2);
    expect(err).to.match(/^The tables of this program do not exist; .* Run `data migrate`/);
  });
});

async function change(path: string, statement: string): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}

const COLLECTIONS = `- { id: 1, name: First, items: [] }
- { id: 2, name: Third, items: [] }
- { id: 3, name: Hidden, public: false, items: [] }
`;

import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import type { Warehouse } from '../../server/databases/warehouse.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { run } from '../cli/command-line.js';
import { openHere, runHere } from '../cli/commands-here.js';
import { copyEmptyFile } from '../service/demo-data.js';
import { createBakeryFile, FOREIGN } from './foreign-bakery.js';

const PARAMS = '{ "cacheHours": 1, "params": [] }';
const SQL = 'SELECT o.id FROM ovens o\n';

describe('the command endpoint import', () => {
  let database: string;
  let folder: string;
  let environment: Record<string, string>;
  let warehouse: Warehouse;
  before(async () => {
    database = await mkdtemp(join(tmpdir(), 'repo-insight-import-'));
    await createBakeryFile(join(database, 'bakery.duckdb'));
    warehouse = await openHere({ DATA_DIR: database, DATABASE_URL: `duckdb:${join(database, 'bakery.duckdb')}` });
  });
  after(async () => {
    await warehouse.close();
    await rm(database, { recursive: true });
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-import-'));
    await mkdir(join(folder, 'endpoints'));
    const url = `duckdb:${join(database, 'bakery.duckdb')}`;
    environment = { DATA_DIR: database, DATABASE_URL: url, ENDPOINTS_DIR: join(folder, 'endpoints') };
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
  }

  /** Runs the command in the test folder. Paths in the output are made relative to this folder. */
  async function importHere(...words: string[]) {
    const all = ['endpoint', 'import', ...words];
    const { code, out, err } = await runHere(all, readSettings(environment), warehouse, { cwd: folder });
    return { code, out: out.replaceAll(`${folder}/`, ''), err: err.replaceAll(`${folder}/`, '') };
  }

  const filesIn = (name: string) => readdir(join(folder, name)).catch(() => 'no folder');

  it('exits with 0 if no definition is rejected, and writes files to the folder imported by default', async () => {
    await write({ 'one.sql': `-- summary: All ovens\n-- column id BIGINT not null "Number"\n${SQL}` });
    expect(await importHere('one.sql')).to.deep.equal({
      code: 0,
      out: 'imported one: imported/one.yaml\n',
      err: '1 imported, 0 changed, 0 rejected, 1 file written\n',
    });
    expect(await filesIn('imported')).to.deep.equal(['one.yaml']);
  });

  it('exits with 1 and still writes the other definitions if one is rejected', async () => {
    await write({ 'in/bad.sql': 'DROP TABLE ovens\n', 'in/good.sql': `-- summary: All ovens\n${SQL}` });
    expect(await importHere('in', '--out', 'out')).to.deep.equal({
      code: 1,
      out: `rejected bad: in/bad.sql:1
  in/bad.sql:1:1 sql: the SQL is not a SELECT
changed good: out/good.yaml
  in/good.sql:2:1 columns: no descriptions of id: the names are the descriptions
`,
      err: '0 imported, 1 changed, 1 rejected, 1 file written\n',
    });
    expect(await filesIn('out')).to.deep.equal(['good.yaml']);
  });

  it('writes nothing with --dry-run, and prints the texts of the files with --json', async () => {
    await write({ 'one.sql': `-- summary: All ovens\n-- column id BIGINT not null "Number"\n${SQL}` });
    const { code, out, err } = await importHere('one.sql', '--dry-run', '--json');
    expect([code, JSON.parse(out), err]).to.deep.equal([
      0,
      {
        format: 'sql',
        imported: 1,
        changed: 0,
        rejected: 0,
        definitions: [
          {
            name: 'one',
            source: { file: 'one.sql', line: 1, column: 1 },
            status: 'imported',
            file: 'imported/one.yaml',
            text: `name: one
summary: All ovens
params: {}
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Number }
sql: |
  SELECT o.id FROM ovens o
`,
            changes: [],
            problems: [],
          },
        ],
      },
      '',
    ]);
    expect(await filesIn('imported')).to.equal('no folder');
  });

  it('names the missing list of the endpoints of a Data App', async () => {
    await write({ 'app/dataapp_config.json': '{}', 'app/http_endpoints/sql/one.sql': SQL });
    const message =
      'app/http_endpoints/config.json, which lists the endpoints of this Data App, does not exist. ' +
      'Export the Data App again, or import its SQL files with --from sql.\n';
    for (const words of [
      ['app'],
      ['app/dataapp_config.json'],
      ['app/http_endpoints'],
      ['app', '--from', 'data-service'],
    ]) {
      expect(await importHere(...words), words.join(' ')).to.deep.equal({ code: 2, out: '', err: message });
    }
    expect((await importHere('app', '--from', 'sql')).code).to.equal(0);
    expect((await importHere('app/http_endpoints/sql/one.sql', '--force')).code).to.equal(0);
  });

  it('replaces an existing file only with --force', async () => {
    await write({ 'one.sql': `-- summary: All ovens\n${SQL}`, 'out/one.yaml': 'mine: true\n' });
    const rejected = await importHere('one.sql', '--out', 'out');
    expect([rejected.code, rejected.out]).to.deep.equal([
      1,
      'rejected one: one.sql:1\n  one.sql:1:1 the file out/one.yaml exists: replace it with --force\n',
    ]);
    expect(await readFile(join(folder, 'out/one.yaml'), 'utf8')).to.equal('mine: true\n');
    const forced = await importHere('one.sql', '--out', 'out', '--force');
    expect(forced.code).to.equal(0);
    expect(await readFile(join(folder, 'out/one.yaml'), 'utf8')).to.match(/^name: one\n/);
    expect(await filesIn('out')).to.deep.equal(['one.yaml']);
  });

  it('writes no file if one of the files cannot be written', async () => {
    await write({ 'in/a.sql': SQL, 'in/b.sql': SQL, out: 'a file' });
    const { code, out, err } = await importHere('in', '--out', 'out');
    expect([code, out]).to.deep.equal([2, '']);
    expect(err).to.match(/EEXIST|ENOTDIR/);
    expect(await readFile(join(folder, 'out'), 'utf8')).to.equal('a file');
  });

  it('rejects names and routes that the service or an earlier definition already uses', async () => {
    const existing = `name: ovens\npath: /v1/ovens/{id}\nsummary: Ovens\nparams: { id: { in: path, type: integer, description: Id } }
columns: [{ col: id, data_type: BIGINT, nullable: true, description: Id }]\nsql: SELECT id FROM ovens WHERE id = {{ id }}\n`;
    await write({
      'endpoints/ovens.yaml': existing,
      'in/a.sql': `-- path: /v1/ovens/{oven}/\n-- param oven integer "Id"\n${SQL.trim()} WHERE o.id = :oven\n`,
      'in/b.sql': `-- name: Ovens\n${SQL}`,
      'in/c.sql': `-- name: twice\n${SQL}\n-- name: twice\n${SQL}`,
    });
    const { code, out } = await importHere('in', '--json');
    const problems = JSON.parse(out).definitions.map(({ problems }: { problems: { message: string }[] }) =>
      problems.map(({ message }) => message),
    );
    expect([code, problems]).to.deep.equal([
      1,
      [
        ['/v1/ovens/{oven}/ matches the same URLs as the path of endpoints/ovens.yaml'],
        ['the name "ovens" is already used by endpoints/ovens.yaml'],
        [],
        ['the name "twice" is already used by in/c.sql:1'],
      ],
    ]);
  });

  it('rejects a definition whose types are unknown if there is no database, and uses declared types', async () => {
    await write({
      'declared.sql': `-- summary: Declared\n-- column id BIGINT "Number"\n${SQL}`,
      'unknown.sql': `-- summary: Unknown\n${SQL}`,
      'star.sql': '-- summary: All columns\nSELECT * FROM ovens\n',
    });
    const { DATABASE_URL: _, ...others } = environment;
    environment = { ...others, DATA_DIR: join(folder, 'none') };
    expect(await importHere('.', '--from', 'sql')).to.deep.equal({
      code: 1,
      out: `imported declared: imported/declared.yaml
rejected star: star.sql:1
  star.sql:2:1 columns: the types of the columns of * are unknown: import with a database that has the tables
rejected unknown: unknown.sql:1
  unknown.sql:2:1 columns: the types of the columns id are unknown: import with a database that has the tables
`,
      err: `There is no database none/repo-insight.duckdb yet: the types of columns come from the imported files only.
1 imported, 0 changed, 2 rejected, 1 file written
`,
    });
  });

  it('reports a declared column with another type than in the database', async () => {
    await write({
      'one.sql': '-- summary: Ovens\n-- column id DATE "Number"\n-- column gone INT "Gone"\nSELECT o.id FROM ovens o\n',
    });
    const { out } = await importHere('one.sql');
    expect(out).to.equal(`changed one: imported/one.yaml
  one.sql:4:1 columns: id has the type of the database, BIGINT, not DATE
  one.sql:4:1 columns: the declared column gone is dropped: the SELECT does not return it
`);
  });

  it('exits with 2 if there is nothing to import, or if the format is not clear', async () => {
    await write({
      'empty/readme.txt': '',
      'both/a.sql': SQL,
      'both/q/params.json': PARAMS,
      'both/q/template.sql': SQL,
    });
    const results = [await importHere('missing'), await importHere('empty'), await importHere('both')];
    expect(results.map(({ code, out, err }) => [code, out, err])).to.deep.equal([
      [2, '', 'missing does not exist.\n'],
      [
        2,
        '',
        'empty contains nothing to import: expected folders with params.json and template.sql, or expected http_endpoints/config.json, or expected files with the extension .sql.\n',
      ],
      [2, '', 'both contains several formats: choose one with --from (folders, sql).\n'],
    ]);
    expect((await importHere('both', '--from', 'folders')).code).to.equal(0);
    const wrong = await importHere('both', '--from', 'data-service');
    expect([wrong.code, wrong.err]).to.deep.equal([
      2,
      'both contains no definitions of the format data-service: expected http_endpoints/config.json.\n',
    ]);
  });

  it('imports a single file of each format', async () => {
    await cp(join(FOREIGN, 'data-service'), join(folder, 'app'), { recursive: true });
    await write({ 'q/params.json': PARAMS, 'q/template.sql': SQL });
    const names = async (path: string) => {
      const { out } = await importHere(path, '--dry-run', '--json');
      const { format, definitions } = JSON.parse(out);
      return [format, definitions.length, definitions[0].name];
    };
    expect(await names('q/params.json')).to.deep.equal(['folders', 1, 'q']);
    expect(await names('q/template.sql')).to.deep.equal(['folders', 1, 'q']);
    expect(await names('app/dataapp_config.json')).to.deep.equal(['data-service', 13, 'loaves']);
    expect(await names('app/http_endpoints/config.json')).to.deep.equal(['data-service', 13, 'loaves']);
  });

  it('never reads files outside of the imported folder, and follows no links to folders', async () => {
    await write({ 'secret.sql': SQL, 'in/q/params.json': PARAMS, 'in/a.sql': SQL, 'other/b.sql': SQL });
    await symlink(join(folder, 'secret.sql'), join(folder, 'in/q/template.sql'));
    await symlink(join(folder, 'secret.sql'), join(folder, 'in/link.sql'));
    await symlink(join(folder, 'in/a.sql'), join(folder, 'in/inside.sql'));
    await symlink(join(folder, 'other'), join(folder, 'in/folder'));
    await symlink(join(folder, 'in'), join(folder, 'in/cycle'));
    const sql = await importHere('in', '--from', 'sql', '--dry-run');
    expect([sql.code, sql.out.split('\n').filter((line) => !line.includes('descri'))]).to.deep.equal([
      1,
      [
        'changed a: imported/a.yaml',
        'changed inside: imported/inside.yaml',
        'rejected link: in/link.sql:1',
        '  in/link.sql:1:1 the link leads outside of the imported folder',
        'rejected cycle: in/cycle:1',
        '  in/cycle:1:1 a link to a folder is not followed: import its target',
        'rejected folder: in/folder:1',
        '  in/folder:1:1 a link to a folder is not followed: import its target',
        '',
      ],
    ]);
    const folders = await importHere('in', '--from', 'folders', '--dry-run');
    expect(folders.out).to.include('  in/q/template.sql:1:1 the link leads outside of the imported folder\n');
  });

  it('rejects files that are not text, too large or of a wrong form, each with its place', async () => {
    await write({
      'latin.sql': Buffer.from("SELECT 'caf\xe9' AS drink\n", 'latin1'),
      'huge.sql': Buffer.alloc(1_000_001, ' '),
      'zero.sql': 'SELECT 1 AS \0one\n',
      'mark.sql': 'SELECT 1 AS one -- \uE000\n',
      'folder.sql/readme.txt': '',
      'deep.sql': `SELECT ${'('.repeat(3000)}1${')'.repeat(3000)} AS one\n`,
      'open.sql': "SELECT 'one AS one\n",
    });
    const { code, out } = await importHere('.', '--from', 'sql', '--dry-run');
    expect([code, out.split('\n').filter((line) => line.startsWith('  '))]).to.deep.equal([
      1,
      [
        '  deep.sql:1:520 sql: not SQL: the text is too long or nested too deeply',
        '  huge.sql:1:1 the file is too large for a definition (expected at most 1000000 bytes, got 1000001)',
        '  latin.sql:1:1 the file is not UTF-8: save it as UTF-8',
        '  mark.sql:1:1 the file contains the character U+E000: remove it',
        '  open.sql:1:8 sql: not SQL: Unterminated string',
        '  zero.sql:1:1 the file is not text (expected SQL in UTF-8)',
      ],
    ]);
  });
});

describe('the import of SQL for another copy of the events', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-import-'));
    await copyEmptyFile(join(folder, 'events.duckdb'));
  });
  after(() => rm(folder, { recursive: true }));

  it('reports each comparison that does not match an unknown text, which is NULL here', async () => {
    const sql = `-- summary: Pushes
SELECT COUNT(*) AS pushes FROM github_events e
WHERE e.action = '' -- AND state = ''
  AND e.\`state\` <> 'open' AND action = 'opened' AND language IN ('Go', '') AND language IN ('Go', 'C')
  AND actor_login NOT LIKE '%bot' AND e.repo_id = 41
`;
    await writeFile(join(folder, 'pushes.sql'), sql);
    const environment = { DATA_DIR: folder, DATABASE_URL: `duckdb:${join(folder, 'events.duckdb')}` };
    const { out } = await run(['endpoint', 'import', 'pushes.sql', '--dry-run', '--json'], {
      environment,
      cwd: folder,
    });
    const [{ changes = [] } = {}] = (
      JSON.parse(out) as { definitions: { changes: { line: number; message: string }[] }[] }
    ).definitions;
    const found = changes.filter(({ message }) => message.includes('COALESCE'));
    expect(found.map(({ line, message }) => [line, message.split(': ')[0]])).to.deep.equal([
      [3, "e.action = ''"],
      [4, "e.`state` <> 'open'"],
      [4, "language IN ('Go', '')"],
      [5, 'actor_login NOT LIKE'],
    ]);
    expect(found[0]?.message).to.equal(
      "e.action = '': this database has NULL, not an empty text, for an unknown action, and NULL never matches; " +
        "to compare it as an empty text, write COALESCE(action, '')",
    );
  });
});

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readSettings } from '../../server/settings/read-settings.js';
import { copyDemo, NOW } from '../service/demo-data.js';
import { onBothDatabases } from '../services/mysql.js';
import { run } from './command-line.js';

const DEFINITION = `# Accounts.
name: accounts
path: /v1/accounts/{login}/
summary: Accounts
params:
  login: { in: path, type: string, description: Login, example: a }
columns:
  # the key
  - { col: followers, data_type: VARCHAR, nullable: true, description: How many follow } # many
  - { col: id, data_type: INT, nullable: true, description: 'Id, as "number"' }
  - { col: gone, data_type: INT, nullable: true, description: Gone }
sql: SELECT id, login, followers, created_at FROM github_users WHERE login = {{ login }} ORDER BY id
`;

onBothDatabases('the columns of a definition', (database) => {
  let folder: string;
  let environment: Record<string, string>;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-columns-'));
    environment = { DATA_DIR: join(folder, 'data'), ENDPOINTS_DIR: join(folder, 'own'), NOW, ...database() };
    await copyDemo(readSettings(environment), { events: 500 });
    await mkdir(join(folder, 'own'));
  });
  beforeEach(() => writeFile(join(folder, 'own', 'accounts.yaml'), DEFINITION));
  after(() => rm(folder, { recursive: true }));

  const endpoint = async (...words: string[]) => {
    const { code, out, err } = await run(['endpoint', ...words], { environment, cwd: folder });
    return { code, out: out.replaceAll(`${folder}/`, ''), err: err.replaceAll(`${folder}/`, '') };
  };

  it('are compared with the database, although the definition is broken', async () => {
    const { code, out } = await endpoint('columns', 'accounts', '--json');
    expect([code, JSON.parse(out)]).to.deep.equal([
      1,
      {
        isUpdated: false,
        columns: [
          { col: 'id', declared: 'INT', database: 'BIGINT not null', differences: ['order', 'type', 'nullable'] },
          { col: 'login', database: 'VARCHAR not null', differences: ['missing'] },
          {
            col: 'followers',
            declared: 'VARCHAR',
            database: 'INT not null',
            differences: ['order', 'type', 'nullable'],
          },
          { col: 'created_at', database: 'DATETIME', differences: ['missing'] },
          { col: 'gone', declared: 'INT', differences: ['unknown'] },
        ],
      },
    ]);
  });

  it('are written into the file, with the descriptions and comments of the author', async () => {
    const { code, err } = await endpoint('columns', 'own/accounts.yaml', '--update');
    expect([code, err]).to.deep.equal([0, '5 columns, 5 differ; the file is updated\n']);
    expect(await readFile(join(folder, 'own', 'accounts.yaml'), 'utf8')).to.equal(`# Accounts.
name: accounts
path: /v1/accounts/{login}/
summary: Accounts
params:
  login: { in: path, type: string, description: Login, example: a }
columns:
  # the key
  - { col: id, data_type: BIGINT, nullable: false, description: 'Id, as "number"' }
  - { col: login, data_type: VARCHAR, nullable: false, description: Present login }
  - { col: followers, data_type: INT, nullable: false, description: How many follow } # many
  - { col: created_at, data_type: DATETIME, nullable: true, description: Time of the creation of the account }
sql: SELECT id, login, followers, created_at FROM github_users WHERE login = {{ login }} ORDER BY id
`);
    expect((await endpoint('check')).code).to.equal(0);
    expect((await endpoint('columns', 'accounts')).err).to.equal('4 columns, 0 differ\n');
  });

  it('that come from shared parts are not changed', async () => {
    await writeFile(
      join(folder, 'own', 'all.shared.yaml'),
      'columns: { key: [{ col: id, data_type: INT, nullable: false, description: Id }] }\n',
    );
    const text = DEFINITION.replace(/columns:[\s\S]*sql/, 'columns: [{ use: key }]\nsql')
      .replace('summary', 'shared: [all.shared.yaml]\nsummary')
      .replace(', login, followers, created_at', '');
    await writeFile(join(folder, 'own', 'accounts.yaml'), text);
    expect(await endpoint('columns', 'accounts', '--update')).to.deep.equal({
      code: 2,
      out: '',
      err: 'own/accounts.yaml uses the shared columns "key": change them in the shared file, or write them in the definition.\n',
    });
    await rm(join(folder, 'own', 'all.shared.yaml'));
  });

  it('cannot be compared for SQL that the database rejects: the problem has its place', async () => {
    await writeFile(join(folder, 'own', 'accounts.yaml'), DEFINITION.replace('FROM github_users', 'FROM no_users'));
    const { code, err } = await endpoint('columns', 'accounts');
    expect(code).to.equal(2);
    expect(err).to.match(/^own\/accounts\.yaml:12:51 sql: the database cannot run this: .*no_users/);
  });
});

describe('the definitions of this package', () => {
  it('have the format of `endpoint format`', async () => {
    const { code, out, err } = await run(['endpoint', 'format', '--check'], { environment: {} });
    expect([code, out, err]).to.deep.equal([0, '', '51 files, 0 would change, 0 problems\n']);
  });
});

describe('endpoint format and endpoint rename', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-rename-'));
    await writeFile(join(folder, 'accounts.yaml'), DEFINITION.replace(/columns:[\s\S]*sql: .*/, VALID));
    await writeFile(join(folder, 'other.json'), OTHER);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const endpoint = async (...words: string[]) => {
    const { code, out, err } = await run(['endpoint', ...words], {
      environment: { ENDPOINTS_DIR: folder },
      cwd: folder,
    });
    return { code, out, err: err.replaceAll(`${folder}/`, '') };
  };
  const read = (file: string) => readFile(join(folder, file), 'utf8');

  it('format lists the files that differ, changes them, and reports files that cannot be read', async () => {
    await writeFile(join(folder, 'wrong.yaml'), 'name: a\n  b: c\n');
    const problem =
      'wrong.yaml:2:4 not YAML: bad indentation of a mapping entry: give all keys of a mapping the same indentation, and quote a text that contains ": "\n';
    const before = await read('other.json');
    expect(await endpoint('format', '--check')).to.deep.equal({
      code: 1,
      out: 'other.json\n',
      err: `${problem}3 files, 1 would change, 1 problem\n`,
    });
    expect(await read('other.json')).to.equal(before);
    expect(await endpoint('format', '--json')).to.deep.equal({
      code: 1,
      out: `${JSON.stringify({ changed: ['other.json'], problems: [problem.trimEnd()].map((text) => `${folder}/${text}`) }, null, 2)}\n`,
      err: '',
    });
    expect(await read('other.json')).to.equal(`${JSON.stringify(JSON.parse(OTHER), null, 2)}\n`);
    expect(await endpoint('format', 'accounts', 'other.json')).to.deep.equal({
      code: 0,
      out: '',
      err: '2 files, 0 changed, 0 problems\n',
    });
    expect((await readdir(folder)).sort()).to.deep.equal(['accounts.yaml', 'other.json', 'wrong.yaml']);
  });

  it('rename changes the name, the file of this name and nothing else', async () => {
    const text = await read('accounts.yaml');
    expect(await endpoint('rename', 'accounts', 'people', '--path')).to.deep.equal({
      code: 0,
      out: 'renamed accounts to people in people.yaml\n',
      err: 'Callers must change /q/accounts to /q/people.\nCallers must change /v1/accounts/{login}/ to /v1/people/{login}/.\n',
    });
    expect(await readdir(folder)).to.deep.equal(['other.json', 'people.yaml']);
    expect(await read('people.yaml')).to.equal(
      text.replace('name: accounts', 'name: people').replace('/v1/accounts/', '/v1/people/'),
    );
    expect(await endpoint('rename', './other.json', 'another', '--json')).to.deep.equal({
      code: 0,
      out: `${JSON.stringify({ old: { name: 'other-one' }, new: { name: 'another' }, file: 'other.json' }, null, 2)}\n`,
      err: '',
    });
    expect(await read('other.json')).to.equal(OTHER.replace('other-one', 'another'));
    expect((await endpoint('check')).code).to.equal(0);
  });

  it('rename changes nothing for names that are invalid, unknown or taken', async () => {
    const mistakes: readonly (readonly [readonly string[], string])[] = [
      [['accounts', 'Other'], 'Other is not a valid name: expected a name in kebab-case, such as loaves-by-kind.'],
      [['accounts', 'a'.repeat(81)], `${'a'.repeat(81)} is not a valid name: expected at most 80 characters.`],
      [
        ['acounts', 'a'],
        'There is no endpoint named acounts (did you mean "accounts"?). `endpoint list` lists all names.',
      ],
      [['accounts', 'other-one'], 'The name other-one is already used by other.json.'],
      [
        ['other-one', 'a', '--path'],
        '--path: expected a path with the segment other-one, got no path. Change the path in the file.',
      ],
      [['accounts', 'other'], 'other.yaml exists already: move it first.'],
      [
        ['./block.yaml', 'a'],
        'block.yaml has a form that cannot be changed without changing other values: change name by hand.',
      ],
    ];
    await writeFile(join(folder, 'other.yaml'), '# empty\n');
    await writeFile(join(folder, 'block.yaml'), 'name: |-\n  block\nsummary: Blocks\n');
    const before = [await read('accounts.yaml'), OTHER];
    for (const [words, message] of mistakes) {
      expect(await endpoint('rename', ...words)).to.deep.equal({ code: 2, out: '', err: `${message}\n` });
    }
    expect([await read('accounts.yaml'), await read('other.json')]).to.deep.equal(before);
  });
});

const VALID = `columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Id } # the key
sql: SELECT id FROM github_users WHERE login = {{ login }}`;

const OTHER = `{ "name": "other-one", "summary": "Other",
  "columns": [{ "col": "a", "data_type": "BIGINT", "nullable": false, "description": "A" }], "sql": "SELECT 1 AS a" }
`;

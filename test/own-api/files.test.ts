import { appendFile, mkdir, mkdtemp, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { IN_MEMORY } from '../../engine/databases/duckdb/connection/options.js';
import { openEmbedded } from '../../engine/databases/duckdb/embedded.js';
import { openFileDatabase } from '../../server/databases/file-database.js';
import { openFilePlayground } from '../../server/databases/open-playground.js';
import { listening, run, startHere, stopAll } from '../cli/command-line.js';
import { eventually } from '../services/eventually.js';
import { describeEmbedded } from '../services/server.js';

const COUNTRIES = 'code,name,people\nDE,Germany,83\nFR,"France, la",68\n';

/** Values of types that the MySQL dialect does not have. */
const SALES = `
  SELECT i AS id, i % 2 = 0 AS paid, ['a', 'b'] AS tags, {'x': i} AS place, TIMESTAMPTZ '2026-01-01 10:00:00+02' AS at,
    UUID '7b6a9c1e-0000-4000-8000-000000000001' AS code, 1.5::DECIMAL(9, 2) AS price
  FROM range(3) r(i)`;

describeEmbedded('an API over files', () => {
  let folder: string;
  let service: ReturnType<typeof startHere>;
  let url: string;
  const file = (name: string) => join(folder, name);
  const makeRollupFolder = async () => {
    await mkdir(file('rollups'), { recursive: true });
    return file('rollups');
  };
  const rowsOf = async (name: string) =>
    ((await (await fetch(`${url}/q/${name}`)).json()) as { data: Record<string, unknown>[] }).data;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-files-'));
    await mkdir(file('files/sales/more'), { recursive: true });
    await writeFile(file('files/countries.csv'), COUNTRIES);
    await writeFile(file('files/notes.jsonl'), '{"id":1,"words":["x"]}\n{"id":2,"words":[]}\n');
    const database = await openEmbedded({
      ...{ file: IN_MEMORY, memoryLimit: '128MB', threads: 1, readers: 1 },
      sourcePaths: [`${file('files/sales')}/`],
    });
    await database.maintain(async (connection) => {
      await connection.run(`COPY (${SALES}) TO '${file('files/sales/1.parquet')}' (FORMAT parquet)`);
    });
    await database.close();
    const words = [
      '--files',
      'files/sales/**/*.parquet',
      '--files',
      'files/countries.csv',
      '--files',
      'files/notes.jsonl',
    ];
    const { code, err } = await run(['init', 'api', ...words, '--table', 'countries'], { cwd: folder });
    expect(code, err).to.equal(0);
    for (const name of ['sales', 'notes']) {
      const made = await run(['endpoint', 'new', '--table', name], { cwd: file('api') });
      expect(made.code, made.err).to.equal(0);
    }
    await appendFile(file('api/api.yaml'), 'published:\n  countries: [CODE, people]\n  sales: "*"\n');
    service = startHere(['serve'], { cwd: file('api'), environment: { PORT: '0', LOG_LEVEL: 'silent' } });
    url = await listening(service);
  });
  after(async () => {
    stopAll();
    await service.ended;
    await rm(folder, { recursive: true });
  });

  it('has the tables of its folder, whose paths are relative', async () => {
    expect(await readFile(file('api/tables/sales.yaml'), 'utf8')).to.equal('source: "../files/sales/**/*.parquet"\n');
    const { out } = await run(['tables', 'sales', '--json'], { cwd: file('api') });
    const { columns } = JSON.parse(out) as { columns: { name: string; type: string }[] };
    expect(columns.map(({ name, type }) => `${name} ${type}`)).to.deep.equal([
      'id BIGINT',
      'paid TINYINT',
      'tags JSON',
      'place JSON',
      'at TIMESTAMP',
      'code VARCHAR',
      'price DECIMAL(9,2)',
    ]);
  });

  it('answers with values of the MySQL dialect', async () => {
    expect(await rowsOf('countries')).to.deep.equal([
      { code: 'DE', name: 'Germany', people: 83 },
      { code: 'FR', name: 'France, la', people: 68 },
    ]);
    expect((await rowsOf('sales'))[1]).to.deep.equal({
      id: 1,
      paid: 0,
      tags: ['a', 'b'],
      place: { x: 1 },
      at: '2026-01-01 08:00:00',
      code: '7b6a9c1e-0000-4000-8000-000000000001',
      price: 1.5,
    });
    expect((await rowsOf('notes')).map(({ words }) => words)).to.deep.equal([['x'], []]);
  });

  it('runs SQL of callers over the published columns of the current files', async () => {
    const ask = async (sql: string) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${url}/q/playground/`, { method: 'POST', headers, body: JSON.stringify({ sql }) });
      return (await response.json()) as { data: unknown; detail?: string };
    };
    expect((await ask('SELECT * FROM countries ORDER BY code')).data).to.deep.equal([
      { code: 'DE', people: 83 },
      { code: 'FR', people: 68 },
    ]);
    expect((await ask('SELECT name FROM countries')).detail).to.contain('there is no column name');
    expect((await ask('SELECT id FROM notes')).detail).to.contain('there is no public table notes');
    expect((await ask('SELECT SUM(paid) AS paid FROM sales')).data).to.deep.equal([{ paid: 2 }]);
    await writeFile(file('files/next'), `${COUNTRIES}IT,Italy,59\n`);
    await rename(file('files/next'), file('files/countries.csv'));
    expect((await ask('SELECT COUNT(*) AS n FROM countries')).data).to.deep.equal([{ n: 3 }]);
    await unlink(file('files/countries.csv'));
    expect((await ask('SELECT COUNT(*) AS n FROM countries')).detail).to.equal(
      'The data of a table of this query cannot be read. The log contains the reason.',
    );
    expect((await ask('SELECT SUM(paid) AS paid FROM sales')).data).to.deep.equal([{ paid: 2 }]);
    await writeFile(file('files/next'), COUNTRIES);
    await rename(file('files/next'), file('files/countries.csv'));
  });

  it('hides the other columns and files from the process of such SQL, even without the guard', async () => {
    const tables = [{ name: 'countries', source: file('files/countries.csv'), description: '', columns: {} }];
    const { database, selects, close } = await openFileDatabase({
      rollupFolder: await makeRollupFolder(),
      memoryLimit: '128MB',
      threads: 1,
      readers: 1,
      pollMs: 1,
      tables,
    });
    const untrusted = await openFilePlayground(database, {
      settings: { dataDirectory: file('api'), playgroundMemory: '128MB' },
      tables: new Map([
        ['countries', { description: '', columns: new Map([['code', { type: 'VARCHAR', description: '' }]]) }],
      ]),
      selects,
      onNotice: undefined,
    });
    const read = async (sql: string) => {
      const limits = { maxRows: 10, timeoutMs: 30_000 };
      return untrusted.query({ sql }, [], limits).then(
        ({ rows }) => rows,
        (error: Error) => error.message,
      );
    };
    await writeFile(file('secret.csv'), 'a\n1\n');
    expect(await read('SELECT * FROM "countries" ORDER BY 1')).to.deep.equal([['DE'], ['FR']]);
    expect(await read('SELECT name FROM "countries"')).to.match(/name/);
    expect(await read(`SELECT * FROM read_csv('${file('secret.csv')}')`)).to.match(/Permission|disabled/);
    await unlink(file('files/countries.csv'));
    expect(await read('SELECT code FROM "countries"')).to.match(/^The data of a table of this query cannot be read/);
    await writeFile(file('files/countries.csv'), COUNTRIES);
    await close();
  });

  it('stores an answer until a file changes, is added or is removed', async () => {
    const statusOf = async () => (await fetch(`${url}/v1/countries/`)).headers.get('cache-status') ?? '';
    await eventually(async () => (await statusOf()).includes('hit'));
    await writeFile(file('files/next'), `${COUNTRIES}IT,Italy,59\n`);
    await rename(file('files/next'), file('files/countries.csv'));
    await eventually(async () => (await rowsOf('countries')).length === 3);
    await appendFile(file('files/countries.csv'), 'ES,Spain,48\n');
    await eventually(async () => (await rowsOf('countries')).length === 4);
    expect(await rowsOf('sales')).to.have.length(3);
    await writeFile(file('files/sales/more/2.parquet'), await readFile(file('files/sales/1.parquet')));
    await eventually(async () => (await rowsOf('sales')).length === 6);
    await unlink(file('files/sales/more/2.parquet'));
    await eventually(async () => (await rowsOf('sales')).length === 3);
  });

  it('reads CSV files by the names of their columns', async () => {
    await writeFile(file('files/next'), 'people,name,code\n59,Italy,IT\n');
    await rename(file('files/next'), file('files/countries.csv'));
    await eventually(async () => (await rowsOf('countries')).length === 1);
    expect(await rowsOf('countries')).to.deep.equal([{ code: 'IT', name: 'Italy', people: 59 }]);
    await writeFile(file('files/next'), 'people,title,code\n59,Italy,IT\n');
    await rename(file('files/next'), file('files/countries.csv'));
    await eventually(async () => (await fetch(`${url}/q/countries`)).status === 500);
    await writeFile(file('files/next'), COUNTRIES);
    await rename(file('files/next'), file('files/countries.csv'));
    await eventually(async () => (await rowsOf('countries')).length === 2);
  });

  it('names the file and the place in the message for the author if a file no longer fits', async () => {
    const faults: readonly (readonly [text: string | undefined, message: RegExp])[] = [
      [
        'code,title,people\nDE,Germany,83\n',
        /a file does not have the columns "name" that it had at the start: restart/,
      ],
      [
        'code,name,people\nDE,Germany,many\n',
        /line 2 of .*countries\.csv cannot be read: Error when converting column "people"/,
      ],
      [undefined, /no file matches .*countries\.csv/],
    ];
    const database = await openFileDatabase({
      ...{ memoryLimit: '128MB', threads: 1, readers: 1, pollMs: 1_000, rollupFolder: await makeRollupFolder() },
      tables: [{ name: 'countries', source: file('files/countries.csv'), description: '', columns: {} }],
    });
    const query = database.database.prepare('SELECT code, name, people FROM countries');
    for (const [text, message] of faults) {
      if (text === undefined) await unlink(file('files/countries.csv'));
      else await writeFile(file('files/countries.csv'), text);
      const read = database.database.query(query, [], { maxRows: 10, timeoutMs: 10_000 });
      expect(await read.catch((error: Error) => error.message)).to.match(message);
    }
    await database.close();
    await writeFile(file('files/next'), COUNTRIES);
    await rename(file('files/next'), file('files/countries.csv'));
    await eventually(async () => (await rowsOf('countries')).length === 2);
  });

  it('reports a later file that does not fit, instead of omitting its rows or values', async () => {
    const many = file('many');
    await mkdir(many);
    await writeFile(join(many, 'a.csv'), 'id,town\n1,Rome\n2,"Bern, CH"\n');
    const tables = [{ name: 'towns', source: join(many, '*.csv'), description: '', columns: {} }];
    const rollupFolder = await makeRollupFolder();
    const limits = { memoryLimit: '128MB', threads: 1, readers: 1, pollMs: 1_000, rollupFolder };
    const { database, close } = await openFileDatabase({ ...limits, tables });
    const query = database.prepare('SELECT id, town FROM towns ORDER BY id');
    const read = async (text: string) => {
      await writeFile(join(many, 'b.csv'), text);
      return database.query(query, [], { maxRows: 10, timeoutMs: 30_000 }).then(
        ({ rows }) => rows.slice(2).map(String),
        ({ message }: Error) => message,
      );
    };
    expect(await read('town,id\nOslo,9\n')).to.deep.equal(['9,Oslo']);
    expect(await read('id;town;extra\n8;Riga;x\n')).to.deep.equal(['8,Riga']);
    const wrong = ['id,town\n3,"Bern,7\n', 'id,town\n2,a\n3\n4,5,6,x\n', 'idx,place\n7,x\n', 'id\n7\n'];
    for (const text of wrong) expect(await read(text), text).to.match(/does not have the columns? |cannot be read/);
    await close();
  });

  it('cannot read other files', async () => {
    await writeFile(file('secret.csv'), 'a\n1\n');
    const sql = (source: string) =>
      `name: other\nsummary: Other\ncolumns: [{ col: a, data_type: INT, nullable: true, description: A }]\nsql: SELECT a FROM ${source}\nexamples: [{ name: e, params: {} }]\n`;
    for (const source of [`\`${file('secret.csv')}\``, `read_csv('${file('secret.csv')}')`]) {
      await writeFile(file('api/endpoints/other.yaml'), sql(source));
      const { code, out } = await run(['endpoint', 'test', 'other'], { cwd: file('api') });
      expect([code, out.includes('1 row')], out).to.not.deep.equal([0, true]);
      expect(code).to.not.equal(0);
    }
    await unlink(file('api/endpoints/other.yaml'));
  });

  it('serves the other tables if the files of one cannot be read, and names this table', async () => {
    await writeFile(file('api/tables/wrong.yaml'), 'source: ../files/none.csv\n');
    const { code, out, err } = await run(['tables'], { cwd: file('api') });
    await unlink(file('api/tables/wrong.yaml'));
    expect([code, out.includes('countries'), out.includes('wrong')]).to.deep.equal([0, true, false]);
    expect(err).to.match(/tables\/wrong\.yaml: .*none\.csv: no file matches; definitions cannot read this table/);
  });

  const wrong: readonly (readonly [title: string, text: string, message: RegExp])[] = [
    ['a missing file', 'source: ../files/none.csv\n', /tables\/wrong\.yaml: .*none\.csv: no file matches/],
    ['another format', 'source: ../files/sales/*\n', /expected the name of files that end with \.parquet/],
    ['a URL', 'source: https://example.org/a.csv\n', /wrong\.yaml: source: expected a path of files on this machine/],
    [
      'a pattern in the folder of api.yaml',
      'source: "*.csv"\n',
      /wrong\.yaml: source: expected a pattern in a folder that does not contain/,
    ],
    ['an unknown key', 'sources: a.csv\n', /wrong\.yaml:1:1.*did you mean "source"/s],
    ['an unknown column', 'source: ../files/countries.csv\ncolumns: { cod: A. }\n', /the files have no column cod/],
    ['a broken file', 'source: ../files/broken.parquet\n', /broken\.parquet: the files cannot be read: /],
  ];
  for (const [title, text, message] of wrong) {
    it(`names the table with ${title}`, async () => {
      await writeFile(file('files/broken.parquet'), 'no parquet');
      await mkdir(file('other/tables'), { recursive: true });
      await writeFile(file('other/api.yaml'), 'title: Other\n');
      await writeFile(file('other/tables/wrong.yaml'), text);
      const { code, err } = await run(['tables'], { cwd: file('other') });
      expect(code).to.equal(2);
      expect(err).to.match(message);
    });
  }

  it('is either over files or over a database', async () => {
    const { code, err } = await run(['tables'], { cwd: file('api'), environment: { DATABASE_URL: 'duckdb:x.duckdb' } });
    expect([code, err]).to.deep.equal([2, 'tables/countries.yaml: files are tables only without DATABASE_URL.\n']);
    const both = await run(['init', 'both', '--files', 'a.csv', '--database-url', 'duckdb:x.duckdb'], { cwd: folder });
    expect([both.code, both.err]).to.deep.equal([2, '--files and --database-url exclude each other.\n']);
  });
});

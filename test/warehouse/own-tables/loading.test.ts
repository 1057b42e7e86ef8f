import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { dropOwnTable } from '../../../warehouse/own-tables/load-own-table.js';
import { listOwnTables, readOwnTables } from '../../../warehouse/own-tables/stored-own-tables.js';
import type { TableDocument } from '../../../warehouse/own-tables/table-document.js';
import { readVersions } from '../../../warehouse/versions/version-table.js';
import { onEveryDatabase, type TestWarehouse } from '../test-warehouse.js';
import { CITIES, loadFile, messageOf, writeParquet, writeTable } from './own-files.js';

const CITY_ROWS = [
  ['BE', 'Berlin, Stadt', '3700000', '0.25', '891.70', null, '1', '1237-10-28', '2024-01-02 03:04:05'],
  ['PA', 'Paris "Ville"', '-1', '1000', '105.40', '', '0', '1000-01-01', '2024-01-02 00:00:00'],
];
const LISTS = 'description: A list.\ncolumns:\n  id: { type: INT, description: Id. }\nkey: [id]\n';

onEveryDatabase('own tables', (make) => {
  let warehouse: TestWarehouse;

  before(async () => {
    warehouse = await make();
  });
  after(() => warehouse.close());
  afterEach(async () => {
    for (const { name } of await listOwnTables(warehouse.database)) await dropOwnTable(warehouse.store, name);
  });

  const versionOf = async (table: string) => (await readVersions(warehouse.database, 5_000)).get(table);
  /** Returns the copies of loaded files that still exist. The folder also contains temporary files of DuckDB, which are ignored. */
  const leftFiles = async () =>
    (await readdir(join(warehouse.folder, 'staging'))).filter((name) => name.startsWith('own-'));
  const loadCities = async () => {
    await writeTable(warehouse, 'cities.csv', CITIES.rows, CITIES.document);
    return loadFile(warehouse, 'cities.csv');
  };

  it('contain the typed rows of a file, and their documentation', async () => {
    const loaded = await loadCities();
    expect(await warehouse.rows('SELECT * FROM own_cities')).to.deep.equal(CITY_ROWS);
    const stored = { name: 'own_cities', rows: 2, loadedAt: '2026-02-03 04:05:06', source: 'cities.csv' };
    const { document } = loaded;
    expect(loaded).to.deep.equal({ ...stored, document, isInferred: false });
    const version = await versionOf('own_cities');
    expect(version).to.match(/^\d+\./);
    expect(await listOwnTables(warehouse.database)).to.deep.equal([{ ...stored, document, version }]);
    const reference = (await readOwnTables(warehouse.database)).get('own_cities');
    expect(reference?.description).to.equal('Cities of a survey.');
    expect([...(reference?.columns ?? [])].slice(2, 5)).to.deep.equal([
      ['people', { type: 'INT', description: 'Inhabitants', unit: 'people' }],
      ['share', { type: 'DOUBLE', description: 'Share of the country.' }],
      ['area', { type: 'DECIMAL(8, 2)', description: 'Area.' }],
    ]);
    expect(await leftFiles()).to.deep.equal([]);
  });

  it('are replaced as a whole, with other columns and another version', async () => {
    await loadCities();
    const before = await versionOf('own_cities');
    await writeTable(warehouse, 'cities.csv', 'id\n7\n8\n', LISTS);
    expect(await messageOf(loadFile(warehouse, 'cities.csv'))).to.equal(
      'The table own_cities exists since 2026-02-03 04:05:06 UTC. Pass --replace to replace it.',
    );
    await loadFile(warehouse, 'cities.csv', { replace: true });
    expect(await warehouse.rows('SELECT * FROM own_cities')).to.deep.equal([['7'], ['8']]);
    const after = await versionOf('own_cities');
    expect([after === undefined, after === before]).to.deep.equal([false, false]);
    expect((await listOwnTables(warehouse.database)).map(({ rows }) => rows)).to.deep.equal([2]);
  });

  it('stay as they are if a value of a new file is wrong', async () => {
    await loadCities();
    const before = await versionOf('own_cities');
    await writeTable(warehouse, 'cities.csv', CITIES.rows.replace(',-1,', ',many,'));
    expect(await messageOf(loadFile(warehouse, 'cities.csv', { replace: true }))).to.equal(
      `${join(warehouse.folder, 'cities.csv')}: row 2, column people: expected an integer from -2147483648 to 2147483647 (INT), got "many"`,
    );
    expect(await warehouse.rows('SELECT * FROM own_cities')).to.deep.equal(CITY_ROWS);
    expect(await versionOf('own_cities')).to.equal(before);
    expect(await leftFiles()).to.deep.equal([]);
    await writeTable(warehouse, 'cities.csv', CITIES.rows);
    await loadFile(warehouse, 'cities.csv', { replace: true });
    expect(await versionOf('own_cities')).not.to.equal(before);
  });

  it('are dropped with their documentation, and get another version', async () => {
    await loadCities();
    const before = await versionOf('own_cities');
    await dropOwnTable(warehouse.store, 'own_cities');
    expect(await versionOf('own_cities')).not.to.equal(before);
    expect(await listOwnTables(warehouse.database)).to.deep.equal([]);
    expect(await messageOf(warehouse.rows('SELECT * FROM own_cities'))).to.match(
      /own_cities.* (does not|doesn't) exist/,
    );
    expect(await messageOf(dropOwnTable(warehouse.store, 'own_cities'))).to.equal(
      'There is no own table own_cities. `data table list` shows all own tables.',
    );
    await loadFile(warehouse, 'cities.csv');
    expect(await warehouse.rows('SELECT code FROM own_cities')).to.deep.equal([['BE'], ['PA']]);
  });

  it('never replace a table of another program', async () => {
    await warehouse.store.define(['CREATE TABLE own_cities (id INT)'], async () => undefined);
    await writeTable(warehouse, 'cities.csv', 'id\n7\n', LISTS);
    expect(await messageOf(loadFile(warehouse, 'cities.csv', { replace: true }))).to.equal(
      'The database has a table own_cities that this program did not create. Use another name, or drop the table.',
    );
    expect(await warehouse.rows('SELECT * FROM own_cities')).to.deep.equal([]);
    await warehouse.store.define(['DROP TABLE own_cities'], async () => undefined);
  });

  it('come from Parquet files, whose columns keep their kind', async () => {
    await writeParquet(
      join(warehouse.folder, 'lists.parquet'),
      `SELECT 5::BIGINT AS id, '007' AS code, TRUE AS open, 1.5::DECIMAL(4,2) AS price, NULL::INTEGER AS size,
         TIMESTAMPTZ '2024-01-02 03:04:05+02' AS seen_at, DATE '2024-02-29' AS day, 0.1::DOUBLE AS share`,
    );
    const { isInferred, document } = await loadFile(warehouse, 'lists.parquet', { name: 'own_codes' });
    expect([isInferred, ...typesOf(document)]).to.deep.equal([
      true,
      ['id', 'BIGINT', false],
      ['code', 'VARCHAR(32)', false],
      ['open', 'BOOLEAN', false],
      ['price', 'DECIMAL(4,2)', false],
      ['size', 'VARCHAR(255)', true],
      ['seen_at', 'DATETIME', false],
      ['day', 'DATE', false],
      ['share', 'DOUBLE', false],
    ]);
    expect(await warehouse.rows('SELECT * FROM own_codes')).to.deep.equal([
      ['5', '007', '1', '1.50', null, '2024-01-02 01:04:05', '2024-02-29', '0.1'],
    ]);
  });

  it('have the types of their values if cells are empty', async () => {
    const values = [
      ['1', 'true', '7', '1.5', '2024-01-02', '2024-01-02 03:04', 'x'],
      ['2', '', '', '', '', '', ''],
    ];
    const names = ['id', 'flag', 'number', 'share', 'day', 'seen_at', 'text_value'];
    await writeTable(warehouse, 'empty-cells.csv', [names, ...values].map((cells) => cells.join(',')).join('\n'));
    const { document } = await loadFile(warehouse, 'empty-cells.csv', { name: 'own_empty_cells' });
    expect(typesOf(document)).to.deep.equal([
      ['id', 'BIGINT', false],
      ['flag', 'BOOLEAN', true],
      ['number', 'BIGINT', true],
      ['share', 'DOUBLE', true],
      ['day', 'DATE', true],
      ['seen_at', 'DATETIME', true],
      ['text_value', 'VARCHAR(32)', true],
    ]);
    expect((await warehouse.rows('SELECT * FROM own_empty_cells WHERE id = 2'))[0]?.slice(1)).to.deep.equal(
      Array(6).fill(null),
    );
  });

  it('have the narrowest types that fit all values of a CSV file without documentation', async () => {
    const values = [
      ['true', '7', '1.5', '2024-01-02', '2024-01-02 03:04', '007', '', '12345678901234567890', 'x'],
      ['FALSE', '-8', '1e3', '2024-01-03', '2024-01-02T03:04:05Z', '8', '', '1', 'x'.repeat(800)],
    ];
    const names = ['flag', 'number', 'share', 'day', 'seen_at', 'code', 'nothing', 'large', 'text_value'];
    await writeTable(warehouse, 'guess.tsv', [names, ...values].map((cells) => cells.join('\t')).join('\n'));
    const { document, isInferred } = await loadFile(warehouse, 'guess.tsv');
    expect([isInferred, ...typesOf(document)]).to.deep.equal([
      true,
      ['flag', 'BOOLEAN', false],
      ['number', 'BIGINT', false],
      ['share', 'DOUBLE', false],
      ['day', 'DATE', false],
      ['seen_at', 'DATETIME', false],
      ['code', 'VARCHAR(32)', false],
      ['nothing', 'VARCHAR(255)', true],
      ['large', 'VARCHAR(32)', false],
      ['text_value', 'TEXT', false],
    ]);
  });

  it('are loaded after a process was killed, and remove its copy of a file', async () => {
    const left = join(warehouse.folder, 'staging', 'own-0123456789ab');
    await mkdir(join(left, 'files'), { recursive: true });
    await writeFile(join(left, 'lock'), '');
    await writeFile(join(left, 'files', 'rows.csv'), 'a\n1\n');
    await loadCities();
    expect(await leftFiles()).to.deep.equal([]);
  });

  it('are not loaded if the caller stops waiting', async () => {
    await writeTable(warehouse, 'cities.csv', CITIES.rows, CITIES.document);
    const signal = AbortSignal.abort(new Error('the caller disconnected'));
    expect(await messageOf(loadFile(warehouse, 'cities.csv', { signal }))).to.equal('the caller disconnected');
    expect(await listOwnTables(warehouse.database)).to.deep.equal([]);
    expect(await leftFiles()).to.deep.equal([]);
  });

  it('can have as many rows as several thousand inserts', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `${index},"name; ""${index}"" \\ 'x'"`);
    await writeTable(warehouse, 'many.csv', `id,name\n${lines.join('\n')}\n`);
    const { rows } = await loadFile(warehouse, 'many.csv');
    expect(rows).to.equal(20_000);
    expect(await warehouse.rows('SELECT COUNT(*), MIN(id), MAX(id) FROM own_many')).to.deep.equal([
      ['20000', '0', '19999'],
    ]);
    expect(await warehouse.rows('SELECT name FROM own_many WHERE id = 77')).to.deep.equal([[`name; "77" \\ 'x'`]]);
  });
});

function typesOf({ columns }: TableDocument): unknown[] {
  return Object.entries(columns).map(([name, { type, nullable }]) => [name, type, nullable ?? false]);
}

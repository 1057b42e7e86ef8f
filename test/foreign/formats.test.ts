import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Warehouse } from '../../server/databases/warehouse.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { openHere, runHere } from '../cli/commands-here.js';
import { copyEmptyTables } from '../service/demo-data.js';
import { execute, useMysql } from '../services/mysql.js';
import { BAKERY_TABLES, createBakeryFile, expectRecorded, FOREIGN } from './foreign-bakery.js';

/** The formats, each with parameter values with which its definitions can run. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  folders: ['kind=rye', 'oven=stone', 'ovenId=1', 'ovenIds=1,2', 'keyword=t', 'month=2024-01', 'least=1'],
  'data-service': ['kind=rye', 'ids=1,2', 'n=5'],
  sql: ['oven=stone', 'id=1', 'kind=rye'],
};

describe('endpoint import', () => {
  let folder: string;
  let environment: Record<string, string>;
  let warehouse: Warehouse;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-import-'));
    await createBakeryFile(join(folder, 'bakery.duckdb'));
    environment = { DATA_DIR: folder, DATABASE_URL: `duckdb:${join(folder, 'bakery.duckdb')}` };
    warehouse = await openHere(environment);
  });
  after(async () => {
    await warehouse.close();
    await rm(folder, { recursive: true });
  });

  const command = (words: readonly string[], changed: Readonly<Record<string, string>> = {}) =>
    runHere(words, readSettings({ ...environment, ...changed }), warehouse);

  /** Imports the fixtures of a format. Returns the report and the written files as one text. */
  async function importFormat(format: string, out: string, url?: string) {
    const server = url === undefined ? [] : ['--database-url', url];
    const words = ['endpoint', 'import', join(FOREIGN, format), '--out', out, ...server];
    const result = await command(words, { DATABASE_ALLOW_WRITING_ACCOUNT: 'yes' });
    const names = (await readdir(out)).sort();
    const files = await Promise.all(
      names.map(async (name) => `\n--- ${name}\n${await readFile(join(out, name), 'utf8')}`),
    );
    const text = `${result.out}${result.err}exit code ${result.code}\n${files.join('')}`;
    return text.replaceAll(`${FOREIGN}/`, '').replaceAll(`${out}/`, '');
  }

  for (const [format, values] of Object.entries(FORMATS)) {
    describe(`of the format ${format}`, () => {
      let out: string;
      let report: string;
      before(async () => {
        out = join(folder, format);
        await mkdir(out);
        report = await importFormat(format, out);
      });

      it('reports and writes every definition as recorded', () => expectRecorded(`${format}.txt`, report));

      it('writes definitions that endpoint check and endpoint test accept', async () => {
        const names = (await readdir(out)).map((name) => name.replace(/\.yaml$/, '')).sort();
        const own = { ENDPOINTS_DIR: out };
        const check = await command(['endpoint', 'check', '--json'], own);
        const { endpoints, problems } = JSON.parse(check.out);
        expect([check.code, endpoints.sort(), problems]).to.deep.equal([0, names, []]);
        const given = values.flatMap((value) => ['--param', value]);
        const test = await command(['endpoint', 'test', '--all', ...given], own);
        expect(test.code, test.out + test.err).to.equal(0);
      });
    });
  }

  describe('on a MySQL server', () => {
    const server = useMysql();
    before(async () => {
      await copyEmptyTables(server.url);
      for (const statement of BAKERY_TABLES) await execute(server.url, statement);
    });

    it('reads the types of the columns from the server', async () => {
      const out = join(folder, 'server');
      await mkdir(out);
      await expectRecorded('sql-server.txt', await importFormat('sql', out, server.url));
    });
  });

  describe('with all formats imported', () => {
    it('answers like the foreign SQL with its values', async () => {
      const rows = async (format: string, name: string, ...values: string[]) => {
        const words = ['endpoint', 'run', name, '--json', ...values.flatMap((value) => ['--param', value])];
        const { out, err } = await command(words, { ENDPOINTS_DIR: join(folder, format) });
        return out === '' ? err : JSON.parse(out).data.rows;
      };
      expect(await rows('folders', 'loaves-of-oven', 'ovenId=1', 'from=2024-01-02')).to.deep.equal([
        { id: '2', kind: 'spelt' },
      ]);
      expect(await rows('folders', 'heaviest-loaves', 'order=age', 'n=1')).to.deep.equal([
        { id: '1', weight: '900.00' },
      ]);
      expect(await rows('folders', 'oven-search', 'keyword=ton')).to.deep.equal([{ id: '1', name: 'stone' }]);
      expect(await rows('folders', 'loaves-of-ovens', 'ovenIds=1,2', 'weights=900,850')).to.deep.equal([
        { loaves: '1' },
      ]);
      expect(await rows('folders', 'liquid-loaves', 'oven=stone', 'kinds=rye,spelt')).to.deep.equal([
        { id: '1' },
        { id: '2' },
      ]);
      expect(await rows('folders', 'liquid-loaves', 'oven=stone', 'kinds=spelt', 'only_heavy=true')).to.deep.equal([]);
      const lists = (...values: string[]) => rows('folders', 'optional-lists', ...values);
      expect(await lists()).to.deep.equal([{ id: '1' }, { id: '2' }, { id: '3' }]);
      expect(await lists('loafIds=1,3')).to.deep.equal([{ id: '1' }, { id: '3' }]);
      expect(await lists('loafIds=1,3', 'without=rye')).to.deep.equal([]);
      expect(await rows('folders', 'quoted-names', 'field=weight', 'word=a')).to.deep.include({
        value: '900.00',
        same: '900.00',
        word: 'a',
        quoted: `it's "a" 's`,
        no_comment: '/* a */',
        dashes: '-- ',
      });
      expect(await rows('data-service', 'ovens-by-ids', 'ids=1,2', 'part=t')).to.deep.equal([{ id: '1' }, { id: '2' }]);
      expect(await rows('data-service', 'top-ovens', 'n=1')).to.deep.equal([{ id: '1', name: 'stone' }]);
      expect(await rows('sql', 'rye', 'oven=stone', 'ids=1,2')).to.deep.equal([
        { id: '2', weight: '700.50' },
        { id: '1', weight: '900.00' },
      ]);
    });
  });
});

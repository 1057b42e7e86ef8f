import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { PUBLIC_TABLES } from '../../warehouse/public-tables.js';
import { readMigrations } from '../../warehouse/schema/migrations.js';
import { MERGED_TABLES, NAME_TABLES, RECOMPUTED_TABLES } from '../../warehouse/tables/tables.js';
import { expectedTables } from './oracle-tables.js';
import { IMPORTED_TABLES } from './test-warehouse.js';

const DERIVED = [...MERGED_TABLES, ...RECOMPUTED_TABLES, ...NAME_TABLES].map(({ name }) => name);
const BY_NAME = NAME_TABLES.map(({ name }) => name);

/** Returns the names of the tables that the files in a folder define. */
function definedIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return files.flatMap((file) => {
    const source = readFileSync(`${folder}/${file}`, 'utf8');
    return [...source.matchAll(/^ {2}name: '(\w+)',$/gm)].map(([, name = '']) => name);
  });
}

describe('every derived table', () => {
  it('is in a list of tables', () => {
    const folder = fileURLToPath(new URL('../../../warehouse/tables', import.meta.url));
    expect(definedIn(folder).sort()).to.deep.equal([...DERIVED].sort());
  });

  it('is created by a migration', async () => {
    const statements = (await readMigrations()).flatMap((step) => step.statements);
    expect(
      DERIVED.filter(
        (name) => !statements.some((sql) => new RegExp(`CREATE TABLE (IF NOT EXISTS )?${name} \\(`).test(sql)),
      ),
    ).to.deep.equal([]);
  });

  it('is public in the playground, except the names of people', () => {
    expect(DERIVED.filter((name) => !PUBLIC_TABLES.has(name))).to.deep.equal(['mv_user_names']);
  });

  it('is described in docs/importing.md', () => {
    const text = readFileSync(new URL('../../../docs/importing.md', import.meta.url), 'utf8');
    expect(DERIVED.filter((name) => !text.includes(`\`${name}\``))).to.deep.equal([]);
  });

  it('is compared after every kind of import', () => {
    expect(IMPORTED_TABLES).to.include.members(DERIVED);
  });

  it('has expected rows that are computed from events, except those of the search by name', () => {
    const expected = expectedTables([]);
    expect(DERIVED.filter((name) => expected[name] === undefined)).to.deep.equal(BY_NAME);
  });
});

import { readFileSync } from 'node:fs';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import fc from 'fast-check';
import { defineOrganizations, organizationSql } from '../../warehouse/derived/organizations.js';
import { refreshFull } from '../../warehouse/derived/refresh.js';
import { migrate } from '../../warehouse/migrate.js';
import type { Store } from '../../warehouse/store/store.js';
import { organizationOf } from '../oracle/organizations.js';
import { onEveryDatabase, type TestWarehouse } from './test-warehouse.js';

/** Lines with the expected name, a tab and a profile text. The name is empty if the text contains no organization. */
const SAMPLE = readFileSync(new URL('../../../test/fixtures/organizations.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t') as [expected: string, text: string]);

describe('the organization in a profile text', () => {
  let staging: DuckDBConnection;
  const namesOf = async (texts: readonly (string | null)[]) => {
    const select = `SELECT ${organizationSql('text')} FROM (SELECT unnest(from_json($1, '["VARCHAR"]')) AS text)`;
    const reader = await staging.runAndReadAll(select, [JSON.stringify(texts)]);
    return reader.getRowsJS().map(([name]) => name);
  };

  before(async () => {
    staging = await (await DuckDBInstance.create()).connect();
    await defineOrganizations(staging);
  });
  after(() => staging.closeSync());

  it('has no punctuation, legal form or domain at its end, and is empty if the text does not name an organization', async () => {
    expect(SAMPLE.length).to.be.at.least(150);
    const names = await namesOf(SAMPLE.map(([, text]) => text));
    const wrong = SAMPLE.map(([expected, text], place) => ({ text, expected, got: names[place] }));
    expect(wrong.filter(({ expected, got }) => got !== expected)).to.deep.equal([]);
  });

  it('is empty for NULL and for all kinds of white space', async () => {
    const blank = [null, '', ' ', '\t\n', '\u00a0', '\u3000', '\u200b', '\ufeff'];
    expect(await namesOf(blank)).to.deep.equal(blank.map(() => ''));
    expect(await namesOf(['\u00a0Acme\u3000Labs\n', 'Acme\u200b Labs'])).to.deep.equal(['acme labs', 'acme labs']);
  });

  it('does not change when the rule is applied again', async () => {
    const names = [...new Set(SAMPLE.map(([name]) => name))];
    expect(await namesOf(names)).to.deep.equal(names);
  });

  it('fits its column, also for long texts', async () => {
    const texts = ['a'.repeat(10_000), ' inc'.repeat(10_000), `@a${' @b'.repeat(10_000)}`, '.'.repeat(10_000)];
    expect(await namesOf(texts)).to.deep.equal(['a'.repeat(255), '', 'a', '']);
  });

  it('equals the name that the oracle finds in random texts', async () => {
    const pieces = fc.constantFrom(
      ...['@', ' ', ',', '.', '-', '/', '&', '(', ')', '"', '!', 'é', '🦊', '中', '\u00a0', ' and '],
      ...['acme', 'Zinc', 'INC', ' inc', ' Ltd.', ' LLC', 'co', ' co', ' S.A.', ' GmbH', ' KG', '.com', '.io'],
      ...['https://', 'www.', 'freelance', 'Student', 'none', 'github.com/', ' @beta', '@gamma'],
    );
    const texts = fc
      .sample(fc.array(pieces, { maxLength: 7 }), { seed: 1, numRuns: 4_000 })
      .map((some) => some.join(''));
    const names = await namesOf(texts);
    const expected = texts.map((organization) => organizationOf(organization));
    expect(texts.map((text, place) => [text, names[place] || 'UNKNOWN'])).to.deep.equal(
      texts.map((text, place) => [text, expected[place]]),
    );
  });
});

onEveryDatabase('the organizations of accounts', (make) => {
  let warehouse: TestWarehouse;

  beforeEach(async () => {
    warehouse = await make();
    await warehouse.store.write(async (tables) => {
      for (const [id, organization, formatted] of ROWS) {
        await tables.run(
          `INSERT INTO github_users (id, login, organization, organization_formatted) VALUES (${id}, 'u', :p1, :p2)`,
          [organization, formatted],
        );
      }
    });
  });
  afterEach(() => warehouse.close());

  for (const [when, rewrite] of [
    ['the migration', migrateFromBefore],
    ['the full refresh', refreshFull],
  ] as const) {
    it(`follow the rule of this version after ${when}`, async () => {
      await rewrite(warehouse.store);
      const rows = await warehouse.rows('SELECT id, organization, organization_formatted FROM github_users');
      expect(rows).to.deep.equal([
        ['-5', 'Freelance', ''],
        ['1', 'Acme, Inc.', 'acme'],
        ['2', '@acme @beta', 'acme'],
        ['3', 'acme', 'acme'],
        ['4', '', ''],
        ['9007199254740993', "O'Neil Ltd", "o'neil"],
      ]);
    });
  }

  it('are updated by the migration, also if there are many', async () => {
    const rows = Array.from({ length: 4_500 }, (_, place) => `(${place + 100}, 'u', 'Firm ${place}, Inc', 'old')`);
    const insert = 'INSERT INTO github_users (id, login, organization, organization_formatted) VALUES ';
    await warehouse.store.write((tables) => tables.run(insert + rows.join(', ')));
    await migrateFromBefore(warehouse.store);
    const wrong = `SELECT COUNT(*) FROM github_users
      WHERE id >= 100 AND id < 4600 AND organization_formatted <> CONCAT('firm ', id - 100)`;
    expect(await warehouse.rows(wrong)).to.deep.equal([['0']]);
  });
});

async function migrateFromBefore(store: Store): Promise<void> {
  await store.write((tables) => tables.run('DELETE FROM schema_versions WHERE version = 9'));
  expect(await migrate(store)).to.include('0009-organizations');
}

/** Rows with the values that an earlier program version computed. */
const ROWS = [
  ['-5', 'Freelance', 'freelance'],
  ['1', 'Acme, Inc.', 'acme, inc.'],
  ['2', '@acme @beta', 'acme @beta'],
  ['3', 'acme', 'acme'],
  ['4', '', ''],
  ['9007199254740993', "O'Neil Ltd", "o'neil ltd"],
] as const;

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createProfileCompleter, type EnrichmentKind, TARGETS } from '../../github/enrichment/create-enrichment.js';
import type { Enrichment } from '../../github/enrichment/enrich.js';
import { enrichFromFile, type FileOptions } from '../../github/enrichment/enrich-from-file.js';
import { embeddedOnly } from '../warehouse/embedded-only.js';
import { onEveryDatabase, type TestWarehouse } from '../warehouse/test-warehouse.js';
import { accountRow, NOW, REFRESHED, repositoryRow, USERS_SQL } from './enrichment-rows.js';
import { storeNames } from './store-names.js';

onEveryDatabase('enrichment from a file', (make) => {
  const itEmbedded = embeddedOnly(make);
  let warehouse: TestWarehouse;
  let complete: Record<EnrichmentKind, Enrichment['complete']>;

  before(async () => {
    complete = { users: await createProfileCompleter('users'), repos: await createProfileCompleter('repos') };
  });
  beforeEach(async () => {
    warehouse = await make();
  });
  afterEach(() => warehouse.close());

  const fromFile = async (what: EnrichmentKind, lines: readonly string[], options: Partial<FileOptions> = {}) => {
    const file = join(warehouse.folder, 'dump.csv');
    await writeFile(file, lines.join('\n'));
    const { seconds: _, ...summary } = await enrichFromFile(warehouse.store, TARGETS[what], file, {
      complete: complete[what],
      clock: () => NOW,
      signal: new AbortController().signal,
      ...options,
    });
    return summary;
  };

  it('reads profiles from a file and reports rows with errors by their lines', async () => {
    await storeNames(warehouse.store, { accounts: [accountRow(1, 'ada'), accountRow(2, 'ben')] });
    const lines = [
      '\ufeffid,login,company,location,followers,created_at,country_code',
      '1,x,"@Big, Co","München",44,2011-01-25 18:44:36,',
      '2,x,,"Paris\nTexas",,,FR',
      '3,x,,,,,',
      '0,x,,,,,',
      '2,x,,,many,,',
      '2,x,,',
      '2,x,,,,yesterday,',
      '2,x,,,,,Germany',
      '',
    ];
    const expected = {
      refreshed: 2,
      unknown: 1,
      wrong: 5,
      wrongRows: [
        { line: 6, reason: 'id: expected a whole number of at least 1, got "0"' },
        { line: 7, reason: 'followers: expected a whole number of at most 2147483647, got "many"' },
        { line: 8, reason: 'expected 7 cells, got 4' },
        { line: 9, reason: 'created_at: expected an ISO 8601 time, for example 2024-05-01T12:00:00Z, got "yesterday"' },
        { line: 10, reason: 'country_code: expected two capital letters (ISO 3166-1) or N/A, got "Germany"' },
      ],
    };
    expect(await fromFile('users', lines)).to.eql(expected);
    const rows = [
      ['1', 'ada', 'N/A', '', '@Big, Co', 'big', 'München', 'DE', '44', '2011-01-25 18:44:36', '0', REFRESHED],
      ['2', 'ben', 'N/A', '', '', '', 'Paris\nTexas', 'FR', '0', null, '0', REFRESHED],
    ];
    expect(await warehouse.rows(USERS_SQL)).to.eql(rows);
    expect(await fromFile('users', lines), 'a second run gives the same result').to.eql(expected);
    expect(await warehouse.rows(USERS_SQL)).to.eql(rows);
    expect(await warehouse.rows('SELECT tier, followers FROM mv_user_names WHERE id = 1')).to.eql([
      ['0', '44'],
      ['30', '44'],
    ]);
  });

  it('reads repositories from a file', async () => {
    await storeNames(warehouse.store, { repositories: [repositoryRow(10, 'ada/tools', 3)] });
    const lines = ['repo_id,repo_name,stars,is_archived,license', '10,other/name,9,true,MIT'];
    expect(await fromFile('repos', lines)).to.include({ refreshed: 1, unknown: 0, wrong: 0 });
    expect(await warehouse.rows('SELECT repo_name, stars, is_archived, license FROM github_repos')).to.eql([
      ['ada/tools', '9', '1', 'MIT'],
    ]);
  });

  itEmbedded('rejects days that do not exist, words as flags and counts beyond the column type', async () => {
    await storeNames(warehouse.store, { repositories: [repositoryRow(10, 'ada/tools', 3)] });
    const lines = [
      'repo_id,is_fork,created_at,stars,parent_repo_id',
      '10,constructor,,,',
      '10,,2023-02-30,,',
      '10,,2023-02-29 12:00:00,,',
      '10,,,2147483648,',
      '10,,,2147483647,9007199254740991',
    ];
    const { wrongRows } = await fromFile('repos', lines);
    expect(wrongRows.map(({ reason }) => reason)).to.eql([
      'is_fork: expected 0, 1, false or true, got "constructor"',
      'created_at: expected an ISO 8601 time, for example 2024-05-01T12:00:00Z, got "2023-02-30"',
      'created_at: expected an ISO 8601 time, for example 2024-05-01T12:00:00Z, got "2023-02-29 12:00:00"',
      'stars: expected a whole number of at most 2147483647, got "2147483648"',
    ]);
    expect(await warehouse.rows('SELECT stars, parent_repo_id FROM github_repos')).to.eql([
      ['2147483647', '9007199254740991'],
    ]);
  });

  itEmbedded('reads a file in several transactions', async () => {
    const ids = Array.from({ length: 12_001 }, (_, index) => index + 1);
    await storeNames(warehouse.store, { accounts: [accountRow(1, 'ada'), accountRow(12_001, 'zoe')] });
    const states: number[] = [];
    const lines = ['id,name', ...ids.map((id) => `${id},Name ${id}`)];
    const summary = await fromFile('users', lines, { onProgress: ({ rows }) => states.push(rows) });
    expect(summary).to.include({ refreshed: 2, unknown: 11_999 });
    expect(states).to.eql([5_000, 10_000, 12_001]);
    expect(await warehouse.rows('SELECT name FROM github_users')).to.eql([['Name 1'], ['Name 12001']]);
  });

  const UNUSABLE: readonly (readonly [lines: readonly string[], message: RegExp])[] = [
    [[], /expected a header and rows, got an empty file/],
    [['login,name', 'ada,Ada'], /missing column "id"\. Allowed columns: id, type, name/],
    [['id,folowers', '1,2'], /unknown column "folowers" \(did you mean "followers"\?\)/],
    [['id,name,name', '1,a,b'], /duplicate column "name"/],
    [
      ['id,name', `1,"${'x'.repeat(3_000_000)}`, '2,Ben'],
      /dump\.csv:2: expected a row of at most 1 MiB; is a quote not closed\?/,
    ],
  ];
  itEmbedded('rejects a file that is empty, has wrong columns, or has a row without an end', async () => {
    for (const [lines, message] of UNUSABLE) {
      const error = await fromFile('users', lines).catch((thrown: Error) => thrown);
      expect(error).to.have.property('name', 'ProfileFileError');
      expect(error).to.have.property('message').that.matches(message);
    }
  });

  it('reports rows that no database can store, and stores the others', async () => {
    await storeNames(warehouse.store, { accounts: [accountRow(1, 'ada'), accountRow(2, 'ben')] });
    const summary = await fromFile('users', [
      'id,name,followers,created_at',
      '1,Ada,2147483648,',
      '1,Ada,,0999-12-31',
      '1,Ada,,9999-12-31T23:59:59-14:00',
      '2,Ben,2147483647,9999-12-31T23:59:59Z',
    ]);
    const time = 'created_at: expected an ISO 8601 time, for example 2024-05-01T12:00:00Z, got';
    expect(summary.wrongRows).to.eql([
      { line: 2, reason: 'followers: expected a whole number of at most 2147483647, got "2147483648"' },
      { line: 3, reason: `${time} "0999-12-31"` },
      { line: 4, reason: `${time} "9999-12-31T23:59:59-14:00"` },
    ]);
    expect(await warehouse.rows('SELECT name, followers, created_at FROM github_users ORDER BY id')).to.eql([
      ['', '0', null],
      ['Ben', '2147483647', '9999-12-31 23:59:59'],
    ]);
  });

  itEmbedded('reports rows that are not UTF-8', async () => {
    await storeNames(warehouse.store, { accounts: [accountRow(1, 'ada'), accountRow(2, 'ben')] });
    const file = join(warehouse.folder, 'latin1.csv');
    await writeFile(file, 'id,name\n1,Jos\u00e9\n2,Ben\n', 'latin1');
    const { signal } = new AbortController();
    const options = { complete: complete.users, clock: () => NOW, signal };
    const { refreshed, wrongRows } = await enrichFromFile(warehouse.store, TARGETS.users, file, options);
    expect({ refreshed, wrongRows }).to.eql({
      refreshed: 1,
      wrongRows: [{ line: 2, reason: 'name: expected text in UTF-8, got "Jos\uFFFD"' }],
    });
  });

  itEmbedded('continues after an unreadable row', async () => {
    await storeNames(warehouse.store, { accounts: [accountRow(1, 'ada')] });
    const summary = await fromFile('users', ['id,name', '1,"a"b"', '1,Ada']);
    expect(summary).to.include({ refreshed: 1, wrong: 1 });
    expect(summary.wrongRows[0]).to.include({ line: 2 });
  });
});

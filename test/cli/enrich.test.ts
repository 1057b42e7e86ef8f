import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openWarehouse } from '../../server/databases/open-database.js';
import { requireStore } from '../../server/databases/warehouse.js';
import { databaseFile } from '../../server/settings/database-location.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { type GitHubServer, rateLimitHeaders, startGitHubServer } from '../github/github-server.js';
import { answerFromRecords } from '../github/graphql-answers.js';
import { storeNames } from '../github/store-names.js';
import { copyEmptyFile, copyEmptyTables } from '../service/demo-data.js';
import { eventually } from '../services/eventually.js';
import { execute, useMysql } from '../services/mysql.js';
import { SERVER } from '../services/server.js';
import { run, start, startHere, stopAll } from './command-line.js';

const ACCOUNTS = 450;
const TOKEN = 'ghp_onlyforthistest';

/**
 * `stored` returns the number of enriched accounts that other connections see. Absent if the database allows no other connections; only
 * then, the tests run that do not depend on the kind of database.
 */
function suite(databaseUrl: (folder: string) => Record<string, string>, stored?: () => Promise<number>): void {
  let folder: string;
  let host: GitHubServer;
  let environment: Record<string, string>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-enrich-'));
    host = await startGitHubServer();
    environment = {
      DATA_DIR: join(folder, 'data'),
      ...databaseUrl(folder),
      GITHUB_TOKEN: TOKEN,
      GITHUB_API_URL: host.url,
    };
    const settings = readSettings(environment);
    const file = databaseFile(settings);
    await (file === undefined ? copyEmptyTables(settings.databaseUrl ?? '') : copyEmptyFile(file));
    const warehouse = await openWarehouse(settings, { migrating: true });
    const ids = Array.from({ length: ACCOUNTS }, (_, index) => index + 1);
    const row = (id: number) => `(${id}, 'person-${id}', 'N/A', '', '', '', 0, 0, 0, 0, NULL, NULL)`;
    await storeNames(requireStore(warehouse), { accounts: ids.map(row) });
    await warehouse.close();
  });
  after(async () => {
    stopAll();
    await host.close();
    await rm(folder, { recursive: true });
  });

  const answer = answerFromRecords(
    Array.from({ length: ACCOUNTS }, (_, index) => ({
      id: index + 1,
      name: `person-${index + 1}`,
      node: {
        __typename: 'User',
        login: `person-${index + 1}`,
        location: 'Lyon, FR',
        createdAt: '2020-01-01T00:00:00Z',
      },
    })),
  );

  it('continues after it was killed, and requests at most a hundred accounts again', async () => {
    host.answer = (call) => (host.calls.length > 2 ? { fault: 'stall' } : answer(call));
    if (stored === undefined) {
      const killed = start(['data', 'enrich', 'users'], { environment });
      await eventually(() => host.calls.length > 2);
      killed.child.kill('SIGKILL');
      await killed.ended;
    } else {
      const stopped = startHere(['data', 'enrich', 'users'], { environment });
      await eventually(() => host.calls.length > 2);
      // Rows that other connections see are kept when the process is killed.
      await eventually(async () => (await stored()) === 200);
      stopped.stop();
      await stopped.ended;
    }
    host.answer = answer;
    const { code, out } = await run(['data', 'enrich', 'users', '--json'], { environment });
    const { seconds, ...summary } = JSON.parse(out);
    expect({ code, summary }).to.eql({
      code: 0,
      summary: { what: 'users', refreshed: ACCOUNTS - 200, deleted: 0, declined: 0, left: 0 },
    });
    expect(seconds).to.be.a('number');
  });

  if (stored !== undefined) return;

  it('stops at a rate limit with --no-wait, prints how to continue, and prints no token', async () => {
    // The reset is later than any real rate limit of GitHub. The printed time is tested with the client.
    const reset = Date.parse('2099-01-01T00:00:00Z') / 1_000;
    host.answer = () => ({ status: 403, headers: rateLimitHeaders(0, reset), body: {} });
    const words = ['data', 'enrich', 'users', '--no-wait', '--older-than', '0', '--limit', '150'];
    const { code, out, err } = await run(words, { environment: { ...environment, NOW: '2099-01-01T00:00:00Z' } });
    expect(code).to.equal(1);
    expect(out).to.match(/^0 records refreshed, 150 left, in /);
    expect(err).to.match(/until \d{4}-\d\d-\d\dT[\d:.]{8,}Z\. Run the same command again to continue\.\n/);
    expect(out + err).not.to.include(TOKEN);
  });

  it('exits with 2 without a token and a file, and for data that cannot be enriched', async () => {
    const { GITHUB_TOKEN: _, ...without } = environment;
    const { code, err } = await run(['data', 'enrich', 'repos'], { environment: without });
    expect({ code, err }).to.eql({
      code: 2,
      err: 'Set GITHUB_TOKEN to a GitHub API token, or name a file with --from.\n',
    });
    expect((await run(['data', 'enrich', 'people'], { environment })).code).to.equal(2);
  });

  it('reads a file, prints its invalid rows, and exits with 1 for them', async () => {
    await writeFile(join(folder, 'dump.csv'), 'id,company\n1,Example\nx,Example\n');
    const { code, out, err } = await run(['data', 'enrich', 'users', '--from', 'dump.csv'], {
      environment,
      cwd: folder,
    });
    expect(code).to.equal(1);
    expect(out).to.match(/^1 record refreshed, 0 not in this data set, 1 wrong, in /);
    expect(err).to.include('dump.csv:3: id: expected a whole number of at least 1, got "x"');
    const missing = await run(['data', 'enrich', 'users', '--from', 'none.csv'], { environment, cwd: folder });
    expect(missing.code).to.equal(2);
    expect(missing.err).to.match(/none\.csv/);
  });
}

describe('data enrich, on the embedded database', () => {
  suite((folder) => ({ DATABASE_URL: `duckdb:${join(folder, 'x.duckdb')}` }));
});

describe(`data enrich, on ${SERVER}`, () => {
  const server = useMysql();
  const stored = async () => {
    const [{ n } = {}] = await execute(
      server.url,
      'SELECT COUNT(*) AS n FROM github_users WHERE refreshed_at IS NOT NULL',
    );
    return Number(n);
  };
  suite(() => server.environment, stored);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type GitHubServer, startGitHubServer } from '../github/github-server.js';
import { answerSources } from '../github/issue-truth.js';
import { NOW, SOURCE_REPOSITORIES, sourceTables, trackAll } from '../github/source-repositories.js';
import { onEveryDatabase, reopened, type TestWarehouse } from '../warehouse/test-warehouse.js';
import { record } from './report.js';

const PROGRAM = fileURLToPath(new URL('../../cli/repo-insight.cjs', import.meta.url));

onEveryDatabase('processes that follow tracked repositories', (make) => {
  let github: GitHubServer;
  beforeEach(async () => {
    github = await startGitHubServer();
  });
  afterEach(() => github.close());

  const environment = ({ folder, url = `duckdb:${folder}/test.duckdb` }: TestWarehouse) => ({
    ...process.env,
    ...{ DATA_DIR: folder, DATABASE_URL: url, DATABASE_ALLOW_WRITING_ACCOUNT: 'yes' },
    ...{ NOW: new Date(NOW).toISOString(), GITHUB_API_URL: github.url, GITHUB_TOKEN: 'one' },
  });
  const start = (warehouse: TestWarehouse) =>
    spawn(process.execPath, [PROGRAM, 'data', 'track', 'follow', '--no-wait'], {
      env: environment(warehouse),
      stdio: 'ignore',
    });
  const answer: GitHubServer['answer'] = (call) =>
    answerSources(SOURCE_REPOSITORIES, call, { url: github.url, now: NOW });
  const created = async () => {
    const warehouse = await make();
    await trackAll(warehouse);
    await warehouse.leave();
    return warehouse;
  };
  /** Returns the tables after an uninterrupted run. */
  const complete = async (warehouse: TestWarehouse) => {
    github.answer = answer;
    const [code] = await once(start(warehouse), 'exit');
    expect(code).to.equal(0);
    const again = await reopened(warehouse.folder, warehouse.url);
    const tables = await sourceTables(again);
    await again.close();
    return tables;
  };

  it('lose and double nothing when they are killed at each of their requests', async () => {
    const expected = await complete(await created());
    const requests = github.calls.length;
    for (let last = 1; last <= requests; last++) {
      const warehouse = await created();
      github.calls.length = 0;
      const child = start(warehouse);
      github.answer = (call) => {
        if (github.calls.length >= last) child.kill('SIGKILL');
        return answer(call);
      };
      const [, signal] = await once(child, 'exit');
      record('killed while following', String(signal ?? 'ended before'));
      expect(await complete(warehouse), `killed at request ${last}`).to.deep.equal(expected);
    }
  });

  it('work one at a time', async () => {
    const expected = await complete(await created());
    const requests = github.calls.length;
    const warehouse = await created();
    github.calls.length = 0;
    await Promise.all([start(warehouse), start(warehouse)].map((child) => once(child, 'exit')));
    expect(github.calls.length).to.equal(requests);
    expect(await complete(warehouse)).to.deep.equal(expected);
  });
});

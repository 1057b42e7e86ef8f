import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { FileOutcome } from '../../warehouse/import/summary.js';
import { onEveryDatabase, type TestWarehouse } from './test-warehouse.js';

onEveryDatabase('an event in an unusual form', (make) => {
  let warehouse: TestWarehouse;

  let brokenLines: FileOutcome['brokenLines'] | undefined;

  const star = {
    id: '1',
    type: 'WatchEvent',
    actor: { id: 30, login: 'ada' },
    repo: { id: 7, name: 'acme/tool' },
    payload: { action: 'started' },
    created_at: '2024-06-01T10:00:00Z',
  };
  const events = [
    {
      ...star,
      id: '50000000',
      payload: '{"action":"started"}',
      repo: { id: '77001', name: 'bq/proj' },
      actor: { id: '3000', login: 'bqstar0', gravatar_id: '' },
      org: {},
      created_at: '2024-06-01 10:00:00 UTC',
      other: '{}',
    },
    { ...star, payload: '{"action"' },
    { ...star, payload: [1] },
    ...['2012/06/01 10:00:00 -0700', '2024-06-01T10:00Z', '2024-06-01T10:00:00Z', '2024-06-01T10:00+00:00'].map(
      (time) => ({ ...star, created_at: time }),
    ),
    {
      ...star,
      type: 'PullRequestEvent',
      payload: { action: 'review_request_removed', number: 1, pull_request: { id: 800, number: 1 } },
    },
    { ...star, id: 5.5, actor: { id: 5.5, login: 'eve' } },
  ];

  before(async () => {
    warehouse = await make();
    const file = join(warehouse.folder, 'odd.json');
    await writeFile(file, events.map((event) => JSON.stringify(event)).join('\n'));
    const { files } = await warehouse.import([file], { brokenShare: 1 });
    brokenLines = files[0]?.brokenLines;
  });
  after(() => warehouse.close());

  it('has its payload when that is the text of an object, as in the BigQuery copy of the archive', async () => {
    const rows = await warehouse.rows(
      "SELECT id, repo_id, actor_id, action FROM github_events WHERE repo_name = 'bq/proj'",
    );
    expect(rows).to.deep.equal([['50000000', '77001', '3000', 'started']]);
    const stars = await warehouse.rows('SELECT repo_id, user_id FROM mv_repo_stars WHERE repo_id > 7');
    expect(stars).to.deep.equal([['77001', '3000']]);
  });

  it('is broken, with the number of its line, when its payload is not an object, or its time has no seconds', () => {
    const payload = 'not an event: expected an object or its JSON text in payload, got';
    const time = 'not an event: expected a time such as 2024-06-01T10:00:00Z, with seconds, in created_at, got';
    expect(brokenLines).to.deep.equal([
      { line: 2, reason: `${payload} "{\\"action\\""` },
      { line: 3, reason: `${payload} [1]` },
      { line: 5, reason: `${time} "2024-06-01T10:00Z"` },
      { line: 7, reason: `${time} "2024-06-01T10:00+00:00"` },
    ]);
  });

  it('keeps a long action', async () => {
    const rows = await warehouse.rows("SELECT action FROM github_events WHERE type = 'PullRequestEvent'");
    expect(rows).to.deep.equal([['review_request_removed']]);
  });

  it('has no id when the id is not an integer', async () => {
    const rows = await warehouse.rows("SELECT id, actor_id < 0 FROM github_events WHERE actor_login = 'eve'");
    expect(rows).to.deep.equal([[null, '1']]);
  });
});

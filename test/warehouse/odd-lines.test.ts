import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { onEveryDatabase, type TestWarehouse } from './test-warehouse.js';

onEveryDatabase('an event in an unusual form', (make) => {
  let warehouse: TestWarehouse;

  beforeEach(async () => {
    warehouse = await make();
  });
  afterEach(() => warehouse.close());

  const importEvents = async (...events: readonly object[]) => {
    const file = join(warehouse.folder, 'odd.json');
    await writeFile(file, events.map((event) => JSON.stringify(event)).join('\n'));
    const { files } = await warehouse.import([file], { brokenShare: 1 });
    return files[0]?.brokenLines;
  };
  const star = {
    id: '1',
    type: 'WatchEvent',
    actor: { id: 30, login: 'ada' },
    repo: { id: 7, name: 'acme/tool' },
    payload: { action: 'started' },
    created_at: '2024-06-01T10:00:00Z',
  };

  it('has its payload when that is the text of an object, as in the BigQuery copy of the archive', async () => {
    const row = {
      ...star,
      id: '50000000',
      payload: '{"action":"started"}',
      repo: { id: '77001', name: 'bq/proj' },
      actor: { id: '3000', login: 'bqstar0', gravatar_id: '' },
      org: {},
      created_at: '2024-06-01 10:00:00 UTC',
      other: '{}',
    };
    expect(await importEvents(row)).to.deep.equal([]);
    expect(await warehouse.rows('SELECT id, repo_id, actor_id, action FROM github_events')).to.deep.equal([
      ['50000000', '77001', '3000', 'started'],
    ]);
    expect(await warehouse.rows('SELECT repo_id, user_id FROM mv_repo_stars')).to.deep.equal([['77001', '3000']]);
  });

  it('is broken when its payload is neither an object nor the text of one', async () => {
    expect(await importEvents({ ...star, payload: '{"action"' }, { ...star, payload: [1] })).to.deep.equal([
      { line: 1, reason: 'not an event: expected an object or its JSON text in payload, got "{\\"action\\""' },
      { line: 2, reason: 'not an event: expected an object or its JSON text in payload, got [1]' },
    ]);
  });

  it('is broken, with the number of its line, when its time has no seconds', async () => {
    const expected = 'not an event: expected a time such as 2024-06-01T10:00:00Z, with seconds, in created_at, got';
    const times = ['2012/06/01 10:00:00 -0700', '2024-06-01T10:00Z', '2024-06-01T10:00:00Z', '2024-06-01T10:00+00:00'];
    expect(await importEvents(star, ...times.map((time) => ({ ...star, created_at: time })))).to.deep.equal([
      { line: 3, reason: `${expected} "2024-06-01T10:00Z"` },
      { line: 5, reason: `${expected} "2024-06-01T10:00+00:00"` },
    ]);
  });

  it('keeps a long action', async () => {
    const payload = { action: 'review_request_removed', number: 1, pull_request: { id: 800, number: 1 } };
    await importEvents({ ...star, type: 'PullRequestEvent', payload });
    expect(await warehouse.rows('SELECT action FROM github_events')).to.deep.equal([['review_request_removed']]);
  });

  it('has no id when the id is not an integer', async () => {
    await importEvents({ ...star, id: 5.5, actor: { id: 5.5, login: 'ada' } });
    expect(await warehouse.rows('SELECT id, actor_id < 0, actor_login FROM github_events')).to.deep.equal([
      [null, '1', 'ada'],
    ]);
  });
});

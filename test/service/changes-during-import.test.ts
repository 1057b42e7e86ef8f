import { expect } from 'chai';
import { onBothDatabases } from '../services/mysql.js';
import { type DemoService, startDemoService } from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';

// `test/soak/user-during-import.test.ts` measures the response times of users during a large import.
onBothDatabases('changes of users during an import', (database) => {
  let demo: DemoService;
  before(async () => {
    demo = await startDemoService({ ...database(), ENDPOINTS_DIR: FEW_ENDPOINTS });
  });
  after(() => demo?.close());

  it('do not wait for the end of a batch, and a batch does not wait for them', async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    // The transaction of a batch, which ends only after the changes of the users.
    const batch = demo.store.write(async (tables) => {
      await tables.insertRows('osdb_repos', [[1, demo.repository, 'Relational']]);
      await tables.run('DELETE FROM github_events WHERE repo_name = :p1', [demo.repository]);
      begin();
      await finished;
    });
    await begun;
    for (const [action, subscribed] of [
      ['subscribe', 1],
      ['unsubscribe', 0],
      ['subscribe', 1],
    ] as const) {
      const response = await demo.as('busy', `/repos/${demo.repository}/${action}/`, { method: 'PUT' });
      expect([response.status, await response.json()]).to.deep.include.members([200]);
      const subscriptions = (await (await demo.as('busy', '/user/subscriptions/')).json()) as object[];
      expect(subscriptions).to.have.length(subscribed);
    }
    finish();
    await batch;
    const groups = await (await demo.get('/qo/repos/groups/osdb/')).json();
    expect(groups).to.have.length(1);
  });
});

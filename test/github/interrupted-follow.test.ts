import { expect } from 'chai';
import { followTracked } from '../../github/tracking/follow-tracked.js';
import type { Store } from '../../warehouse/store/store.js';
import { replaceMethods } from '../warehouse/store-steps.js';
import { onEveryDatabase, type TestWarehouse } from '../warehouse/test-warehouse.js';
import { createClientOf, type GitHubServer, startGitHubServer } from './github-server.js';
import { answerSources } from './issue-truth.js';
import { NOW, SOURCE_REPOSITORIES, sourceTables, trackAll } from './source-repositories.js';
import { trackingOptions } from './tracking-options.js';

onEveryDatabase('a run over all sources whose process ends', (make) => {
  let github: GitHubServer;
  before(async () => {
    github = await startGitHubServer();
    github.answer = (call) => answerSources(SOURCE_REPOSITORIES, call, { url: github.url, now: NOW });
  });
  after(() => github.close());

  it('before or after it commits any transaction, has lost and doubled nothing after the next run', async () => {
    const clean = await make();
    const client = createClientOf(github.url, () => NOW);
    const follow = (warehouse: TestWarehouse, store = warehouse.store) =>
      followTracked(
        store,
        client,
        trackingOptions(warehouse, () => NOW),
      );
    await trackAll(clean);
    await follow(clean);
    const expected = await sourceTables(clean);
    await clean.close();
    for (const commits of [false, true]) {
      const warehouse = await make();
      await trackAll(warehouse);
      let ends = 0;
      let isEnded = true;
      for (let transaction = 1; isEnded; transaction++) {
        const { store, isDead } = dyingStore(warehouse.store, transaction, commits);
        await follow(warehouse, store).catch((error: Error) => {
          if (error.message !== DEAD) throw error;
        });
        isEnded = isDead();
        if (isEnded) ends++;
      }
      expect(ends).to.be.at.least(5);
      expect(await sourceTables(warehouse)).to.deep.equal(expected);
      await warehouse.close();
    }
  });
});

const DEAD = 'The process has ended.';

/** Returns a store whose process ends during a transaction, before or after its commit. */
function dyingStore(store: Store, last: number, commits: boolean): { readonly store: Store; isDead(): boolean } {
  let transactions = 0;
  const write: Store['write'] = async (work) => {
    transactions++;
    if (transactions > last) throw new Error(DEAD);
    if (transactions < last) return store.write(work);
    await store.write(async (tables) => {
      await work(tables);
      if (!commits) throw new Error(DEAD);
    });
    throw new Error(DEAD);
  };
  const dying = replaceMethods(store, { write });
  return { store: dying, isDead: () => transactions >= last };
}

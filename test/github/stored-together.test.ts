import { expect } from 'chai';
import { type FollowOptions, followTracked } from '../../github/tracking/follow-tracked.js';
import { IMPORT } from '../../warehouse/import/import-sources.js';
import { embeddedOnly, serverOnly } from '../warehouse/embedded-only.js';
import { replaceMethods } from '../warehouse/store-steps.js';
import { onEveryDatabase, type TestWarehouse } from '../warehouse/test-warehouse.js';
import {
  createClientOf,
  type GitHubAnswer,
  type GitHubCall,
  type GitHubServer,
  NOT_FOUND,
  startGitHubServer,
} from './github-server.js';
import { withEtag } from './star-truth.js';
import { trackingOptions, trackRepositories } from './tracking-options.js';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 5, 10, 12);

onEveryDatabase('answers about many repositories, which are stored together', (make) => {
  const itEmbedded = embeddedOnly(make);
  const itOnServer = serverOnly(make);
  let warehouse: TestWarehouse;
  let github: GitHubServer;
  let now: number;
  beforeEach(async () => {
    warehouse = await make();
    github = await startGitHubServer();
    now = START;
  });
  afterEach(async () => {
    await github.close();
    await warehouse.close();
  });

  const track = (repositories: number) =>
    trackRepositories(
      warehouse.store,
      Array.from({ length: repositories }, (_, index) => ({ id: index + 1, name: `owner/r${index + 1}` })),
    );
  const follow = (options: Partial<FollowOptions>, store = warehouse.store) =>
    followTracked(
      store,
      createClientOf(github.url, () => now),
      { ...trackingOptions(warehouse, () => now), ...options },
    );

  itEmbedded('are not stored over the rejection of a page that waited since an earlier run', async () => {
    const last = 60;
    await trackRepositories(warehouse.store, [{ id: last, name: 'owner/last' }]);
    github.answer = (call) => {
      const id = idOf(call);
      const isBroken = id === last && now >= START + 6 * HOUR_MS;
      const first = starOf(id, 1, START - HOUR_MS, { action: 'started' });
      return withEtag(isBroken ? [starOf(id, 2, START + 5 * HOUR_MS, { 'a\ud800': 1 }), first] : [first], call.etag);
    };
    const ranges = () => warehouse.rows(`SELECT last_at FROM repo_feed_ranges WHERE repo_id = ${last}`);
    await follow({ only: 'events' });
    now = START + 6 * HOUR_MS;
    await warehouse.store.runExclusively(IMPORT, 0, () => follow({ only: 'events' }));
    now = START + 12 * HOUR_MS;
    // The repositories that were never read come first.
    await track(50);
    github.calls.length = 0;
    await follow({ only: 'events' });
    expect(github.calls.map(idOf).indexOf(last)).to.equal(50);
    expect(await ranges()).to.deep.equal([['2026-06-10 06:00:00']]);
  });

  itEmbedded('are complete although GitHub sends issues of the same time in another order each time', async () => {
    await track(1);
    const all = Array.from({ length: 150 }, (_, index) => issueOf(index + 1, START - 40 * HOUR_MS));
    github.answer = (call) => {
      const { body, ...rest } = pageOf(call, all);
      const first = github.calls.length % body.length;
      return { body: [...body.slice(first), ...body.slice(0, first)], ...rest };
    };
    expect(await follow({ only: 'issues', budget: 50 })).to.include({ updated: 1, requests: 5 });
    expect(await warehouse.rows('SELECT COUNT(*) FROM github_issues')).to.deep.equal([['150']]);
  });

  itEmbedded('are complete although a later issue changes each time', async () => {
    await track(1);
    github.answer = (call) => {
      now += 1_000;
      const all = Array.from({ length: 151 }, (_, index) =>
        issueOf(index + 1, index < 150 ? START - 40 * HOUR_MS : now),
      );
      const since = Date.parse(new URL(call.path, github.url).searchParams.get('since') ?? '1970-01-01');
      return pageOf(
        call,
        all.filter(({ updated_at }) => Date.parse(updated_at) >= since),
      );
    };
    expect(await follow({ only: 'issues', budget: 50 })).to.include({ updated: 1, requests: 5 });
  });

  itEmbedded('are read later if the issues of one time change in each pass', async () => {
    await track(1);
    let passes = 0;
    github.answer = (call) => {
      if (new URL(call.path, github.url).searchParams.get('page') === '1') passes++;
      const opened = new Date(START - passes * HOUR_MS).toISOString().replace('.000', '');
      const all = Array.from({ length: 150 }, (_, index) => ({
        ...issueOf(index + 1, START - 40 * HOUR_MS),
        created_at: opened,
      }));
      return pageOf(call, all);
    };
    expect(await follow({ only: 'issues', budget: 50 })).to.include({ failed: 1 });
    expect(github.calls.length).to.be.lessThan(20);
  });

  itEmbedded('are stored after fifty, also if GitHub shows no repository', async () => {
    await track(120);
    const stored: number[] = [];
    github.answer = async () => {
      const [[states] = []] = await warehouse.rows('SELECT COUNT(*) FROM sys_repo_sources');
      stored.push(Number(states));
      return NOT_FOUND;
    };
    expect(await follow({ only: 'issues' })).to.include({ absent: 120 });
    expect([stored[49], stored[50], stored[100]]).to.deep.equal([0, 50, 100]);
  });

  itOnServer('can be longer together than a statement of the server', async () => {
    await track(50);
    const text = 'x "quoted" '.repeat(50);
    const payload = { action: 'started', ...Object.fromEntries([...'abcdef'].map((key) => [key, text])) };
    github.answer = (call) => ({
      body: Array.from({ length: 100 }, (_, index) =>
        starOf(idOf(call), index, START - HOUR_MS - index * 1_000, payload),
      ),
    });
    expect(await follow({ only: 'events' })).to.include({ updated: 50, events: 5_000 });
  });

  it('keep out of the tables only what the database rejects', async () => {
    await track(3);
    const rejecting = replaceMethods(warehouse.store, {
      write: (work) =>
        warehouse.store.write(async (tables) => {
          const result = await work(tables);
          const rows = await tables.rows('SELECT repo_id FROM github_issues WHERE repo_id = 2');
          if (rows.length > 0) throw new Error('rejected');
          return result;
        }),
    });
    github.answer = (call) => pageOf(call, [issueOf(1, START - HOUR_MS)]);
    const error = await follow({ only: 'issues' }, rejecting).catch(({ message }: Error) => message);
    expect(error).to.equal('rejected');
    expect(await warehouse.rows('SELECT repo_id FROM github_issues ORDER BY repo_id')).to.deep.equal([['1'], ['3']]);
  });
});

function idOf({ path }: GitHubCall): number {
  return Number(/repositories\/(\d+)/.exec(path)?.[1]);
}

function starOf(repoId: number, number: number, at: number, payload: object): object {
  return {
    id: String(repoId * 1_000 + number),
    type: 'WatchEvent',
    actor: { id: 1, login: 'user-1' },
    repo: { id: repoId, name: `owner/r${repoId}` },
    payload,
    created_at: new Date(at).toISOString().replace('.000', ''),
  };
}

function issueOf(number: number, updatedAt: number) {
  const opened = new Date(START - 50 * HOUR_MS).toISOString().replace('.000', '');
  const user = { id: 5, login: 'user-5', type: 'User' };
  return { number, user, created_at: opened, updated_at: new Date(updatedAt).toISOString().replace(/\.\d+/, '') };
}

function pageOf({ path }: GitHubCall, all: readonly object[]): GitHubAnswer & { readonly body: object[] } {
  const page = Number(new URL(path, 'http://127.0.0.1').searchParams.get('page') ?? 1);
  const hasNext = page * 100 < all.length;
  return {
    body: all.slice((page - 1) * 100, page * 100),
    ...(hasNext && { headers: { link: '<http://127.0.0.1/next>; rel="next"' } }),
  };
}

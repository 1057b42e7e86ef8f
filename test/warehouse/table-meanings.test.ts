import { expect } from 'chai';
import { referenceMeanings } from '../../warehouse/own-tables/table-meanings.js';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';

describe('the meanings of tables', () => {
  it('contain a complete order of the public columns of every table', async () => {
    const meanings = await referenceMeanings();
    expect([...meanings.keys()]).to.deep.equal([...TABLE_REFERENCE.keys()]);
    for (const [name, { columns, order }] of meanings) {
      expect(order, name).to.not.have.length(0);
      expect([...columns.keys()], name).to.include.members([...order]);
    }
    const orderOf = (name: string) => meanings.get(name)?.order;
    expect(orderOf('github_events')).to.deep.equal(['created_at', 'id', 'type', 'repo_id', 'actor_id']);
    expect(orderOf('mv_repo_stars')).to.deep.equal(['repo_id', 'user_id', 'day']);
    expect(orderOf('mv_trending_repos')).to.deep.equal(['language', 'period', 'dt', 'repo_id']);
  });

  it('contain the newest event of the types from which the rows come', async () => {
    const meanings = await referenceMeanings();
    const newest = 'SELECT MAX(newest_at) FROM mv_event_coverage';
    const expected: Readonly<Record<string, string | undefined>> = {
      github_events: newest,
      collections: newest,
      mv_repo_stars: `${newest} WHERE type = 'WatchEvent'`,
      mv_repo_pull_requests: `${newest} WHERE type IN ('PullRequestEvent', 'PullRequestReviewEvent', 'PullRequestReviewCommentEvent')`,
      calendar_days: undefined,
    };
    const got = Object.keys(expected).map((name) => [name, meanings.get(name)?.dataAsOf]);
    expect(got).to.deep.equal(Object.entries(expected));
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { type Demo, generateDemo } from '../../demo/generate-demo.js';
import { payloadSchema } from './feed-shapes.js';
import { countBy, type FeedEvent, readEvents } from './read-events.js';

// Half of the days are before the feed became slim, and half of them are after that.
const NOW = new Date('2025-12-09T12:00:00Z');
const SLIM_SINCE = '2025-10-07';
const DAY = 86_400_000;

describe('events of the demo', () => {
  let directory: string;
  let demo: Demo;
  let events: readonly FeedEvent[];

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'demo-'));
    demo = await generateDemo({ directory, now: NOW, events: 30_000, days: 126, repositories: 120, people: 20_000 });
    events = readEvents(demo.files);
  });

  after(() => rm(directory, { recursive: true }));

  const ofType = (type: string, ...actions: string[]) =>
    events.filter(
      (event) => event.type === type && (actions.length === 0 || actions.includes(event.payload.action ?? '')),
    );

  const threadOf = (event: FeedEvent) => {
    const thread = event.payload.issue ?? event.payload.pull_request;
    return `${event.repo.id}#${thread?.number}`;
  };

  it('have the fields and types of the real feed, before and after it became slim', () => {
    const ajv = new Ajv({ allErrors: true });
    addFormats.default(ajv);
    const validators = new Map<string, ReturnType<typeof ajv.compile>>();
    const wrong = new Set<string>();
    for (const { type, created_at, payload } of events) {
      const slim = created_at >= SLIM_SINCE;
      const key = `${type} ${slim ? 'slim' : 'full'}`;
      const validate = validators.get(key) ?? ajv.compile(payloadSchema(type, slim) ?? { not: {} });
      validators.set(key, validate);
      if (!validate(payload)) wrong.add(`${key}: ${ajv.errorsText(validate.errors)}`);
    }
    expect([...wrong]).to.deep.equal([]);
    expect(new Set(events.map(({ type }) => type)).size).to.equal(15);
    const [first] = events;
    expect(first).to.have.all.keys(
      'id',
      'type',
      'actor',
      'repo',
      'payload',
      'public',
      'created_at',
      ...(first?.org === undefined ? [] : ['org']),
    );
  });

  it('have realistic shares of the types', () => {
    const counts = countBy(events, (event) => event.type);
    const percent = (type: string) => Math.round((100 * (counts.get(type) ?? 0)) / events.length);
    expect(percent('WatchEvent')).to.be.within(27, 33);
    expect(percent('PushEvent')).to.be.within(21, 28);
    expect(percent('PullRequestEvent')).to.be.within(8, 13);
    expect(percent('IssuesEvent')).to.be.within(5, 9);
    expect(percent('IssueCommentEvent')).to.be.within(7, 12);
    expect(percent('ForkEvent')).to.be.within(3, 6);
  });

  it('number issues and pull requests of a repository in one sequence', () => {
    const opened = [...ofType('IssuesEvent', 'opened'), ...ofType('PullRequestEvent', 'opened')];
    expect(new Set(opened.map(threadOf)).size).to.equal(opened.length);
    const gaps = new Set<number>();
    const last = new Map<number, number>();
    for (const event of opened.sort((a, b) => Number(a.id) - Number(b.id))) {
      const number = Number(threadOf(event).split('#')[1]);
      gaps.add(number - (last.get(event.repo.id) ?? number - 1));
      last.set(event.repo.id, number);
    }
    expect([...gaps]).to.deep.equal([1]);
  });

  it('follow the opening of their thread, and only a reopening follows a closing', () => {
    const state = new Map<string, 'open' | 'closed'>();
    const wrong = events.filter((event) => {
      if (event.payload.issue === undefined && event.payload.pull_request === undefined) return false;
      const { action } = event.payload;
      const before = state.get(threadOf(event));
      if (action === 'opened' || action === 'reopened') {
        state.set(threadOf(event), 'open');
        return before !== (action === 'opened' ? undefined : 'closed');
      }
      if (action === 'closed' || action === 'merged') state.set(threadOf(event), 'closed');
      return before !== 'open';
    });
    expect(wrong).to.deep.equal([]);
  });

  it('write merges as the feed of their day does, and merge about two of three pull requests', () => {
    const closed = ofType('PullRequestEvent', 'closed', 'merged');
    const spelling = (event: FeedEvent) =>
      `${event.created_at < SLIM_SINCE ? 'full' : 'slim'} ${event.payload.action} ${event.payload.pull_request?.merged}`;
    const counts = countBy(closed, spelling);
    expect([...counts.keys()].sort()).to.deep.equal([
      'full closed false',
      'full closed true',
      'slim closed undefined',
      'slim merged undefined',
    ]);
    const merged = (counts.get('full closed true') ?? 0) + (counts.get('slim merged undefined') ?? 0);
    expect(merged / ofType('PullRequestEvent', 'opened').length).to.be.within(0.58, 0.72);
  });

  it('contain mostly one star per person and repository', () => {
    const stars = ofType('WatchEvent');
    const pairs = new Set(stars.map((event) => `${event.repo.id} ${event.actor.id}`));
    expect(pairs.size / stars.length).to.be.within(0.985, 0.999);
  });

  it('contain a star, an opened issue and an opened pull request on every day', () => {
    const days = new Set(events.map((event) => event.created_at.slice(0, 10)));
    expect(days.size).to.equal(127);
    for (const found of [ofType('WatchEvent'), ofType('IssuesEvent', 'opened'), ofType('PullRequestEvent', 'opened')]) {
      expect(new Set(found.map((event) => event.created_at.slice(0, 10)))).to.deep.equal(days);
    }
  });

  it('are fewer at weekends and grow over time', () => {
    const byWeekday = [0, 0, 0, 0, 0, 0, 0];
    for (const event of events) {
      const weekday = new Date(event.created_at).getUTCDay();
      byWeekday[weekday] = (byWeekday[weekday] ?? 0) + 1;
    }
    const [sunday = 0, monday = 0] = byWeekday;
    expect(sunday / monday).to.be.within(0.5, 0.7);
    const middle = new Date(NOW.getTime() - 63 * DAY).toISOString();
    const late = events.filter((event) => event.created_at > middle).length;
    expect(late / (events.length - late)).to.be.within(1.2, 1.5);
  });

  it('are skewed: the best-known repository has many times the median number of stars', () => {
    const stars = [...countBy(ofType('WatchEvent'), (event) => String(event.repo.id)).values()].sort((a, b) => b - a);
    expect(stars.length).to.be.greaterThan(110);
    expect((stars[0] ?? 0) / (stars[60] ?? 1)).to.be.greaterThan(8);
  });

  it('come from app accounts, from accounts named like bots, and from people whose logins end in "bot"', () => {
    const openers = countBy(ofType('PullRequestEvent', 'opened'), (event) => event.actor.login);
    expect(openers).to.include.keys('renovate-demo[bot]', 'ci-helper[bot]', 'translation-sync[bot]', 'talbot');
    const pushers = countBy(ofType('PushEvent'), (event) => event.actor.login);
    expect(pushers).to.include.keys('release-bot', 'docs-deploy-bot', 'Jeanne-Abbot');
  });

  it('give every collection several repositories with stars, issues and pull requests in both 28-day periods', () => {
    const periodOf = (event: FeedEvent) => Math.floor((NOW.getTime() - Date.parse(event.created_at)) / (28 * DAY));
    for (const found of [ofType('WatchEvent'), ofType('IssuesEvent'), ofType('PullRequestEvent')]) {
      for (const period of [0, 1]) {
        const active = new Set(found.filter((event) => periodOf(event) === period).map((event) => event.repo.id));
        for (const { name, items } of demo.collections) {
          const some = items.filter((item) => active.has(item.repo_id)).length;
          expect(some, `${name}, period ${period}`).to.be.greaterThan(3);
        }
      }
    }
  });

  it('keep the id of a renamed or transferred repository, but not of a recreated one', () => {
    const names = new Map<number, Set<string>>();
    const ids = new Map<string, Set<number>>();
    for (const { repo } of events) {
      names.set(repo.id, (names.get(repo.id) ?? new Set()).add(repo.name));
      ids.set(repo.name, (ids.get(repo.name) ?? new Set()).add(repo.id));
    }
    const moved = [...names.values()]
      .filter((set) => set.size > 1)
      .map((set) => [...set].map((name) => name.split('/')));
    expect(moved.every((both) => both.length === 2)).to.equal(true);
    const owners = moved.map(([before, after]) => before?.[0] === after?.[0]);
    expect(owners.filter((same) => same)).to.have.lengthOf.greaterThan(1);
    expect(owners.filter((same) => !same)).to.have.lengthOf(1);
    const again = [...ids.values()].filter((set) => set.size > 1);
    expect(again.map((set) => set.size)).to.deep.equal([2]);
  });

  it('begin with the creation of a repository that is created during the demo', () => {
    const born = ofType('CreateEvent').filter((event) => event.payload.ref_type === 'repository');
    expect(born.length).to.be.greaterThan(10);
    const first = new Map<number, string>();
    for (const event of events) if (!first.has(event.repo.id)) first.set(event.repo.id, event.id);
    expect(born.map((event) => first.get(event.repo.id))).to.deep.equal(born.map((event) => event.id));
  });
});

import type { EventRow } from './oracle-events.js';

/** The sorted rows of a derived table as text. NULL is `null`. */
export type Rows = readonly (readonly (string | null)[])[];

/** Computes the derived tables from single events. `users` contains, for each account, its id and its columns in mv_repo_people. */
export function expectedTables(events: readonly EventRow[], users: Rows = []): Readonly<Record<string, Rows>> {
  const issues = numbers(events, 'IssuesEvent');
  const pulls = numbers(events, 'PullRequestEvent');
  const stars = distinct(
    events
      .filter(
        (event) =>
          event.type === 'WatchEvent' &&
          event.action === 'started' &&
          event.repo_id !== null &&
          event.actor_id !== null,
      )
      .map((event) => [event.repo_id, event.actor_id, event.event_day]),
  );
  const forks = distinct(
    events
      .filter((event) => event.type === 'ForkEvent' && event.repo_id !== null && event.actor_id !== null)
      .map((event) => [event.repo_id, event.actor_id, event.event_day]),
  );
  return {
    mv_repo_issues: sorted(
      issues.map((row) => [row.repo, row.number, row.user, row.openedAt, row.openedAt === null ? 0 : 1]),
    ),
    mv_repo_pull_requests: sorted(
      pulls.map((row) => [
        row.repo,
        row.number,
        row.user,
        row.openedAt,
        row.mergedAt,
        row.creator,
        row.hasEvent ? 1 : 0,
        row.openedAt === null ? 0 : 1,
      ]),
    ),
    mv_repo_stars: sorted(stars),
    mv_repo_forks: sorted(forks),
    mv_repo_daily_counts: dailyCounts(events),
    mv_event_coverage: coverage(events),
    mv_repo_issue_creators: sorted(
      creators(issues).map(({ repo, user, rows, first }) => [repo, user, rows.length, first]),
    ),
    mv_repo_pull_request_creators: sorted(
      creators(pulls).map(({ repo, user, rows, first }) => [
        repo,
        user,
        rows.length,
        first,
        firstMerge(pulls, repo, user),
      ]),
    ),
    mv_repo_daily_newcomers: newcomers(issues, pulls, stars),
    mv_repo_totals: totals(issues, pulls, stars, forks),
    mv_repo_people: people([...creators(issues), ...creators(pulls)], stars, users),
  };
}

type Value = string | number | null;

interface NumberRow {
  readonly repo: number;
  readonly number: number;
  readonly user: number;
  openedAt: string | null;
  mergedAt: string | null;
  creator: number | null;
  /** False if the pull request is only known from review events that contain its merge. */
  hasEvent: boolean;
}

function numbers(events: readonly EventRow[], type: string): NumberRow[] {
  const rows = new Map<string, NumberRow>();
  for (const event of events) {
    const isReview = type === 'PullRequestEvent' && event.type.startsWith('PullRequestReview');
    if ((event.type !== type && !(isReview && event.pr_merged === 1)) || event.repo_id === null) continue;
    const number = event.number ?? -(event.pr_or_issue_id ?? 0);
    const isOpening = event.type === type && event.action === 'opened';
    const user = isOpening ? (event.actor_id ?? 0) : 0;
    const key = [event.repo_id, number, user].join();
    const empty = { repo: event.repo_id, number, user, openedAt: null, mergedAt: null, creator: null, hasEvent: false };
    const row = rows.get(key) ?? empty;
    rows.set(key, row);
    if (isOpening) row.openedAt = least(row.openedAt, event.created_at);
    if (event.type === type) row.hasEvent = true;
    if (event.pr_merged !== 1) continue;
    row.mergedAt = least(row.mergedAt, event.pr_merged_at);
    if (event.creator_user_id !== null)
      row.creator = Math.max(row.creator ?? event.creator_user_id, event.creator_user_id);
  }
  return [...rows.values()];
}

function creators(rows: readonly NumberRow[]) {
  const opened = rows.filter((row) => row.openedAt !== null && row.user !== 0);
  return [...grouped(opened, (row) => `${row.repo},${row.user}`).values()].map((own) => {
    const [{ repo, user }] = own as [NumberRow, ...NumberRow[]];
    return { repo, user, rows: own, first: own.map((row) => row.openedAt).reduce(least) };
  });
}

function firstMerge(pulls: readonly NumberRow[], repo: number, user: number): string | null {
  let first: string | null = null;
  for (const rows of grouped(
    pulls.filter((row) => row.repo === repo),
    (row) => String(row.number),
  ).values()) {
    const merges = rows.filter((row) => row.mergedAt !== null);
    const openers = rows.filter((row) => row.openedAt !== null && row.user !== 0).map((row) => row.user);
    const creator = Math.max(...merges.map((row) => row.creator ?? 0));
    const isTheirs = openers.length > 0 ? openers.includes(user) : creator === user;
    if (merges.length > 0 && isTheirs) first = least(first, merges.map((row) => row.mergedAt).reduce(least));
  }
  return first;
}

function dailyCounts(events: readonly EventRow[]): Rows {
  const isStar = (event: EventRow) => event.type === 'WatchEvent' && event.action === 'started';
  const counted = events.filter((event) => event.repo_id !== null && (isStar(event) || event.type === 'ForkEvent'));
  const facts = (some: readonly EventRow[]) => [
    some.length,
    some.filter((event) => event.actor_id !== null).length,
    some.reduce((sum, { created_at: at }) => sum + secondOfDay(at), 0),
  ];
  const days = grouped(counted, (event) => `${event.event_day}\t${event.repo_id}`);
  return sorted(
    [...days].map(([key, own]) => [
      ...key.split('\t'),
      ...facts(own.filter(isStar)),
      ...facts(own.filter((event) => !isStar(event))),
    ]),
  );
}

function secondOfDay(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.slice(11).split(':').map(Number);
  return hours * 3600 + minutes * 60 + seconds;
}

function coverage(events: readonly EventRow[]): Rows {
  const days = grouped(events, (event) => `${event.type}\t${event.event_day}`);
  return sorted(
    [...days].map(([key, own]) => {
      const newest =
        own
          .map((event) => event.created_at)
          .sort()
          .at(-1) ?? null;
      const hours = new Set(own.map((event) => Number(event.created_at.slice(11, 13))));
      const bits = [...hours].reduce((sum, hour) => sum + 2 ** hour, 0);
      return [...key.split('\t'), own.length, newest, bits];
    }),
  );
}

function newcomers(issues: readonly NumberRow[], pulls: readonly NumberRow[], stars: readonly Value[][]): Rows {
  const firsts = new Map<string, string | null>();
  const see = (repo: Value | undefined, kind: string, user: Value | undefined, day: string) => {
    const key = [repo, kind, user].join('\t');
    firsts.set(key, least(firsts.get(key) ?? null, day));
  };
  for (const row of issues)
    if (row.openedAt && row.user !== 0) see(row.repo, 'issue_creators', row.user, row.openedAt.slice(0, 10));
  for (const row of pulls)
    if (row.openedAt && row.user !== 0) see(row.repo, 'pull_request_creators', row.user, row.openedAt.slice(0, 10));
  for (const [repo, user, day] of stars) see(repo, 'stargazers', user, String(day));
  const counts = grouped([...firsts], ([key, day]) => [...key.split('\t').slice(0, 2), day].join('\t'));
  return sorted([...counts].map(([key, own]) => [...key.split('\t'), own.length]));
}

function people(openers: ReturnType<typeof creators>, stars: readonly Value[][], users: Rows): Rows {
  const facts = new Map(users.map(([id, ...own]) => [id, own]));
  const pairs = distinct([...openers.map(({ repo, user }) => [repo, user]), ...stars.map((row) => row.slice(0, 2))]);
  return sorted(pairs.map(([repo = null, user = null]) => [repo, user, ...(facts.get(String(user)) ?? UNKNOWN_FACTS)]));
}

const UNKNOWN_FACTS = [null, null, null, null, null];

function totals(issues: NumberRow[], pulls: NumberRow[], stars: Value[][], forks: Value[][]): Rows {
  const repos = new Set([
    ...[...issues, ...pulls].map((row) => row.repo),
    ...[...stars, ...forks].map(([repo]) => repo),
  ]);
  const distinctOf = (values: readonly (Value | undefined)[]) => new Set(values).size;
  return sorted(
    [...repos].map((repo) => [
      repo ?? null,
      distinctOf(issues.filter((row) => row.repo === repo).map((row) => row.number)),
      distinctOf(pulls.filter((row) => row.repo === repo && row.hasEvent).map((row) => row.number)),
      distinctOf(stars.filter((row) => row[0] === repo).map((row) => row[1])),
      distinctOf(forks.filter((row) => row[0] === repo).map((row) => row[1])),
      withoutCreator(issues.filter((row) => row.repo === repo)),
      withoutCreator(pulls.filter((row) => row.repo === repo)),
      distinctOf(
        [
          ...[...issues, ...pulls].filter((row) => row.repo === repo).map((row) => row.user),
          ...[...stars, ...forks].filter((row) => row[0] === repo).map((row) => row[1]),
        ].filter((user) => Number(user) < 0),
      ),
      // GitHub has not counted the stars of these repositories.
      null,
    ]),
  );
}

/** Returns the number of issues or pull requests whose opening account is unknown. */
function withoutCreator(rows: readonly NumberRow[]): number {
  const numbers = grouped(rows, (row) => String(row.number));
  return [...numbers.values()].filter((own) => !own.some((row) => row.openedAt !== null && row.user !== 0)).length;
}

function grouped<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

function distinct(rows: Value[][]): Value[][] {
  return [...new Map(rows.map((row) => [row.join(), row])).values()];
}

function least(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

export function sorted(rows: readonly (readonly Value[])[]): Rows {
  const texts = rows.map((row) => row.map((value) => (value === null ? null : String(value))));
  return texts.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

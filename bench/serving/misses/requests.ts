/** A request in two forms: for the service, and as the parameters of the hand-written SQL. */
export interface MissRequest {
  readonly path: string;
  readonly values: readonly (string | number)[];
}

/** Returns the request with this index. Requests with different indexes have different parameters, up to a limit. */
export type RequestOf = (index: number, repositories: readonly string[]) => MissRequest;

/**
 * The id of the first copy of a collection, and the number of copies. Copies are needed because the collection is the only parameter that
 * varies in the rankings of the past 28 days.
 */
export const COPIES = { first: 100_000, count: 8_000 } as const;

/** The functions that create the requests of each operation. */
export const REQUESTS: Readonly<Record<string, RequestOf>> = {
  'list-issue-creators': (index, repositories) => {
    const [repository, round] = split(index, repositories);
    const size = ((round * 37) % 100) + 1;
    const page = 1 + (Math.floor(round / 100) % 8);
    return {
      path: `/v1/repos/${repository}/issue_creators/?page_size=${size}&page=${page}`,
      values: [repository, size, (page - 1) * size],
    };
  },
  'list-countries-of-stargazers': (index, repositories) => {
    const [repository, round] = split(index, repositories);
    const [from, to] = rangeOf(round);
    return {
      path: `/v1/repos/${repository}/stargazers/countries?from=${from}&to=${to}`,
      values: [repository, from, to],
    };
  },
  'collection-repo-ranking-by-stars': (index) => {
    const collection = COPIES.first + (index % COPIES.count);
    const [currentStart, pastStart, today] = ['2026-06-03', '2026-05-06', '2026-06-30'];
    return {
      path: `/v1/collections/${collection}/ranking_by_stars/`,
      values: [currentStart, currentStart, pastStart, today, collection],
    };
  },
  'stargazers-history': (index, repositories) => {
    const [repository, round] = split(index, repositories);
    const [from, to] = rangeOf(round);
    return {
      path: `/v1/repos/${repository}/stargazers/history/?from=${from}&to=${to}`,
      values: [repository, to, from],
    };
  },
};

/** Returns the path and query of the same request for a server with hand-written SQL. */
export function bareTarget(name: string, { values }: MissRequest): string {
  return `/${name}?${encodeURIComponent(JSON.stringify(values))}`;
}

/** Splits an index into a repository and a round, so that consecutive requests are for different repositories. */
function split(index: number, repositories: readonly string[]): [repository: string, round: number] {
  return [repositories[index % repositories.length] ?? '', Math.floor(index / repositories.length)];
}

/** Returns a date range that contains most of the two years of the demo. There are 10,000 different ranges. */
function rangeOf(round: number): [from: string, to: string] {
  return [dayAfter('2024-07-01', round % 100), dayAfter('2026-03-01', Math.floor(round / 100) % 100)];
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

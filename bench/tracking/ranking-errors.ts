import { type Engine, rawFromValues } from '../../engine/index.js';
import type { Collection } from '../../warehouse/collections.js';
import { median } from '../measure.js';
import { DAY_MS, HOUR_MS, type MonthRepository } from './true-month.js';

/** The growth of a repository in a ranking of its collection, compared with the true growth. */
interface RankedRepository {
  readonly shown: number;
  readonly truth: Truth;
  /**
   * Whether the rank is one that the repository really had in the last hours. Repositories with equal growth can have any of their ranks.
   */
  readonly isRankRight: boolean;
  /** Whether the answer contains a notice that numbers may be too small. */
  readonly hasWarning: boolean;
}

/** The true growth in the last hours of the window: the minimum, the maximum, and the value at its end. */
interface Truth {
  readonly least: number;
  readonly most: number;
  readonly last: number;
}

export interface RankingErrors {
  readonly ranking: string;
  /** The shares of repositories whose number, and whose rank, was true at some time in the last six hours, from 0 to 1. */
  readonly rightNumbers: number;
  readonly rightRanks: number;
  /** The median and the minimum of the shown number divided by the true number at the end. */
  readonly medianShare: number;
  readonly smallestShare: number;
  /** The number of wrong numbers in answers without a warning. */
  readonly silent: number;
}

const OPERATIONS = {
  stars: 'collection-repo-ranking-by-stars',
  issues: 'collection-repo-ranking-by-issues',
  'pull requests': 'collection-repo-ranking-by-prs',
} as const;
type Counted = keyof typeof OPERATIONS;

const WINDOW_MS = 28 * DAY_MS;
/** The maximum age of numbers that still count as correct. */
const MAX_AGE_MS = 6 * HOUR_MS;
const WARNING = /only a part|can lack|probably lacks/;

/** Compares the rankings of the past 28 days with the true values at `end`, in milliseconds since 1970. */
export async function compareRankings(
  engine: Engine,
  collections: readonly Collection[],
  repositories: readonly MonthRepository[],
  end: number,
): Promise<RankingErrors[]> {
  const byId = new Map(repositories.map((repository) => [repository.id, repository]));
  const errors: RankingErrors[] = [];
  for (const counted of Object.keys(OPERATIONS) as Counted[]) {
    const endpoint = engine.endpoint(OPERATIONS[counted]);
    const ranked: RankedRepository[] = [];
    for (const { id, items } of collections) {
      const { rows, notices } = await engine.run(endpoint, rawFromValues(endpoint.parameters, { collection_id: id }));
      const shown = new Map(
        rows.map(([repo, , growth, rank]) => [Number(repo), { growth: Number(growth), rank: Number(rank) }]),
      );
      const truths = items.flatMap(({ repo_id }) => {
        const repository = byId.get(repo_id ?? 0);
        return repository === undefined ? [] : [{ id: repository.id, truth: growthOf(repository, counted, end) }];
      });
      const hasWarning = notices.some((notice) => WARNING.test(notice));
      for (const { id: repo, truth } of truths) {
        if (truth.most === 0) continue;
        const { growth = 0, rank = 0 } = shown.get(repo) ?? {};
        const above = truths.filter((other) => other.truth.least > truth.most).length;
        const possible = truths.filter((other) => other.truth.most >= truth.least).length;
        ranked.push({ shown: growth, truth, isRankRight: rank > above && rank <= possible, hasWarning });
      }
    }
    errors.push(summarize(counted, ranked));
  }
  return errors;
}

function growthOf({ stars, issues }: MonthRepository, counted: Counted, end: number): Truth {
  const isWithin = (time: number, last: number) => time >= end - WINDOW_MS && time < last;
  const early = end - MAX_AGE_MS;
  const count = (last: number, kept: number) =>
    counted === 'stars'
      ? stars.filter(({ at, until = Number.POSITIVE_INFINITY }) => isWithin(at, last) && until > kept).length
      : issues.filter((one) => isWithin(one.openedAt, last) && one.isPullRequest === (counted === 'pull requests'))
          .length;
  return { least: count(early, end), most: count(end, early), last: count(end, end) };
}

function summarize(ranking: string, ranked: readonly RankedRepository[]): RankingErrors {
  const shares = ranked.flatMap(({ shown, truth }) => (truth.last === 0 ? [] : [shown / truth.last]));
  const shareOf = (holds: (one: RankedRepository) => boolean) => ranked.filter(holds).length / ranked.length;
  const isRight = ({ shown, truth }: RankedRepository) => shown >= truth.least && shown <= truth.most;
  return {
    ranking,
    rightNumbers: shareOf(isRight),
    rightRanks: shareOf(({ isRankRight }) => isRankRight),
    medianShare: median(shares),
    smallestShare: Math.min(...shares),
    silent: ranked.filter((one) => !isRight(one) && !one.hasWarning).length,
  };
}

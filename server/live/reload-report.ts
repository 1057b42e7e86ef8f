import type { Logger } from 'pino';
import { type Endpoint, formatProblem, type LiveState, type Problem } from '../../engine/index.js';
import { type Changes, findChanges } from './find-changes.js';

/** The result of a reload, as names of endpoints. */
export interface ReloadReport extends Changes {
  /** The last good versions that are served because their files have problems. */
  readonly outdated: readonly string[];
  /** The changed definitions that currently answer only a share of the requests. */
  readonly canaries: readonly string[];
  readonly pages: PageChanges;
  /** All problems of the definitions and the pages, including those that were already reported. */
  readonly problems: readonly Problem[];
  readonly endpoints: number;
  readonly ms: number;
}

/** The number of reloads by their result. */
export interface ReloadCounts {
  succeeded: number;
  problems: number;
  failed: number;
}

/** The result of a reload, as names of pages. */
export interface PageChanges extends Changes {
  /** Pages whose last good version is served, because their file has problems or a changed definition made it invalid. */
  readonly outdated: readonly string[];
}

export interface ReportParts {
  readonly pages: PageChanges;
  readonly problems: readonly Problem[];
  readonly started: number;
}

export function createReport(
  before: LiveState,
  after: LiveState,
  { pages, problems, started }: ReportParts,
): ReloadReport {
  const [old, current] = [byName(before.endpoints), byName(after.endpoints)];
  return {
    ...findChanges(old, current, (one, other) => one === other),
    outdated: after.outdated.map(({ endpoint }) => endpoint.definition.name),
    canaries: after.canaries.map(({ stable }) => stable.definition.name),
    pages,
    problems,
    endpoints: after.endpoints.length,
    ms: Math.round(performance.now() - started),
  };
}

/** Whether a reload changed something, or found other problems than the previous reload. */
export function isNews(report: ReloadReport, last: ReloadReport | undefined): boolean {
  const isSame =
    isEqual(report.problems.map(formatProblem), last?.problems.map(formatProblem) ?? []) &&
    isEqual(report.canaries, last?.canaries ?? []);
  return !isSame || countChanges(report) + countChanges(report.pages) > 0;
}

export function logReload({ problems, ...facts }: ReloadReport, logger: Logger): void {
  if (problems.length === 0) logger.info(facts, 'the definitions were reloaded');
  else logger.error({ ...facts, problems: problems.map(formatProblem) }, 'the definitions were reloaded with problems');
}

function countChanges({ added, changed, removed }: Changes): number {
  return added.length + changed.length + removed.length;
}

/** Whether the two states differ in what the engine serves. */
export function hasChanged(before: LiveState, after: LiveState): boolean {
  const problemsOf = ({ broken }: LiveState) => broken.flatMap(({ problems }) => problems.map(formatProblem));
  return !(
    isEqual(before.endpoints, after.endpoints) &&
    isEqual(before.canaries, after.canaries) &&
    isEqual(problemsOf(before), problemsOf(after))
  );
}

function isEqual(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

function byName(endpoints: readonly Endpoint[]): ReadonlyMap<string, Endpoint> {
  return new Map(endpoints.map((endpoint) => [endpoint.definition.name, endpoint]));
}

import { formatProblem } from '../../../../engine/index.js';
import type { ReloadReport } from '../../../../server/live/reload-report.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import { plural } from '../../../terminal/numbers.js';
import type { Output } from '../../../terminal/output.js';
import { setExitCode } from './in-services.js';

/** The combined report of a reload in all processes of a service. */
interface ServiceReload extends ReloadReport {
  readonly processes: number;
}

/** Prints the reports of all processes of a service as one report, and sets the exit code. */
export function printReloads(context: CommandContext, reports: readonly ReloadReport[], isJson: boolean): void {
  const [first] = reports;
  if (first === undefined) return;
  const report = combineReloads(first, reports);
  if (isJson) context.output.json(report);
  else printReload(context.output, report);
  const isEqual = reports.every((one) => stateOf(one) === stateOf(first));
  if (!isEqual) context.output.warn('The processes serve different definitions: reload again.');
  setExitCode(context, isEqual && report.problems.length === 0 ? 0 : 1);
}

/**
 * Combines the reports of all processes. A process can have read a change before the reload, for example because it started later, so the
 * combined report contains the changes of all processes.
 */
function combineReloads(first: ReloadReport, reports: readonly ReloadReport[]): ServiceReload {
  const all = (listOf: (report: ReloadReport) => readonly string[]) => [...new Set(reports.flatMap(listOf))];
  return {
    added: all(({ added }) => added),
    changed: all(({ changed }) => changed),
    removed: all(({ removed }) => removed),
    outdated: all(({ outdated }) => outdated),
    canaries: all(({ canaries }) => canaries),
    pages: {
      added: all(({ pages }) => pages.added),
      changed: all(({ pages }) => pages.changed),
      removed: all(({ pages }) => pages.removed),
      outdated: all(({ pages }) => pages.outdated),
    },
    problems: [
      ...new Map(reports.flatMap(({ problems }) => problems).map((one) => [formatProblem(one), one])).values(),
    ],
    endpoints: first.endpoints,
    ms: Math.max(...reports.map(({ ms }) => ms)),
    processes: reports.length,
  };
}

/**
 * Returns the state of a process after the reload, for comparison. A process that started earlier can have last good versions that other
 * processes do not have.
 */
function stateOf({ problems, canaries, endpoints }: ReloadReport): string {
  return JSON.stringify([problems.map(formatProblem), canaries, endpoints]);
}

function printReload(output: Output, report: ServiceReload): void {
  const { added, changed, removed, canaries, outdated, pages, problems, endpoints, processes, ms } = report;
  const lists = { added, changed, removed, canary: canaries };
  for (const [word, names] of Object.entries(lists)) for (const name of names) output.print(`${word} ${name}`);
  const { outdated: outdatedPages, ...changes } = pages;
  for (const [word, names] of Object.entries(changes)) for (const name of names) output.print(`${word} page ${name}`);
  for (const problem of problems) output.print(formatProblem(problem));
  for (const name of outdated) output.warn(`${name}: the last good version is served`);
  for (const name of outdatedPages) output.warn(`page ${name}: the last good version is shown`);
  const facts = [plural(endpoints, 'endpoint'), plural(problems.length, 'problem')];
  output.note([...facts, ...(processes > 1 ? [plural(processes, 'process')] : []), `${ms} ms`].join(', '));
}

import type { ReloadReport } from '../../../../server/live/reload-report.js';
import type { Service } from '../../../../server/service.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import { plural } from '../../../terminal/numbers.js';
import type { Output } from '../../../terminal/output.js';

type Definitions = Service['definitions'];

/**
 * Runs `work` with the definitions of the running service. In another process, it asks the services to run the same command, and
 * combines their exit codes. Throws if no service is running.
 */
export async function inServices(
  context: CommandContext,
  words: readonly string[],
  work: (definitions: Definitions) => Promise<0 | 1>,
): Promise<void> {
  const { service, settings } = context;
  if (service !== undefined) {
    context.exitCode = await work(service.definitions);
    return;
  }
  const codes = await context.askServices(['endpoint', ...words]);
  if (codes.length === 0) {
    const { databasePlace } = await import('../../../../server/settings/database-location.js');
    throw new Error(`No service is running on ${databasePlace(settings)}. Start one with \`repo-insight serve\`.`);
  }
  context.exitCode = codes.includes(2) ? 2 : codes.includes(1) ? 1 : 0;
}

/** Throws if a name has no canary. */
export function requireCanaries(definitions: Definitions, names: readonly string[]): void {
  const known = definitions.canaries().map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const expected = known.length === 0 ? 'there are no canaries' : `the canaries are ${known.join(', ')}`;
  throw new Error(`${unknown} has no canary: ${expected}. \`endpoint reload --canary 10\` starts canaries.`);
}

/** Prints the result of a reload. Returns the exit code. */
export async function printReport(output: Output, report: ReloadReport, json: boolean): Promise<0 | 1> {
  const { formatProblem } = await import('../../../../engine/index.js');
  const { added, changed, removed, canaries, outdated, pages, problems, endpoints, ms } = report;
  if (json) output.json(report);
  else {
    const lists = { added, changed, removed, canary: canaries };
    for (const [word, names] of Object.entries(lists)) for (const name of names) output.print(`${word} ${name}`);
    const { outdated: outdatedPages, ...changes } = pages;
    for (const [word, names] of Object.entries(changes)) for (const name of names) output.print(`${word} page ${name}`);
    for (const problem of problems) output.print(formatProblem(problem));
    for (const name of outdated) output.warn(`${name}: the last good version is served`);
    for (const name of outdatedPages) output.warn(`page ${name}: the last good version is shown`);
    output.note(`${plural(endpoints, 'endpoint')}, ${plural(problems.length, 'problem')}, ${ms} ms`);
  }
  return problems.length === 0 ? 0 : 1;
}

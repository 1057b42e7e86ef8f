import type { Command } from 'commander';
import type { CanaryState } from '../../../../server/live/live-parts.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import { plural } from '../../../terminal/numbers.js';
import type { Output } from '../../../terminal/output.js';

interface Options {
  readonly json?: boolean;
}

export function addCanaryCommands(parent: Command, context: CommandContext): void {
  parent
    .command('canaries')
    .description('show the changed definitions that answer a share of the requests, and how their answers differ')
    .option('--json', 'print JSON')
    .action((options: Options) => listCanaries(context, options));
  parent
    .command('promote')
    .description('let changed definitions answer all requests')
    .argument('<names...>', 'endpoints with a canary')
    .option('--json', 'print JSON')
    .action((names: string[], options: Options) => decide(context, 'promote', names, options));
  parent
    .command('discard')
    .description('serve only the previous version of changed definitions')
    .argument('<names...>', 'endpoints with a canary')
    .option('--json', 'print JSON')
    .action((names: string[], options: Options) => decide(context, 'discard', names, options));
}

async function listCanaries(context: CommandContext, { json = false }: Options): Promise<void> {
  const { inServices, setExitCode } = await import('./in-services.js');
  const reports = await inServices(context, ['canaries'], (definitions) => definitions.canaries());
  if (reports.length === 0) return;
  const canaries = addCounts(reports.flat());
  if (json) context.output.json(canaries);
  else printCanaries(context.output, canaries);
  setExitCode(context, canaries.some(({ different, failed }) => different + failed > 0) ? 1 : 0);
}

/** Adds up the counts of the processes of a service. */
function addCounts(canaries: readonly CanaryState[]): readonly CanaryState[] {
  const sums = new Map<string, CanaryState>();
  for (const one of canaries) {
    const sum = sums.get(one.name);
    const counts = COUNTS.map((count) => [count, one[count] + (sum?.[count] ?? 0)] as const);
    sums.set(one.name, { ...one, ...sum, ...Object.fromEntries(counts) });
  }
  return [...sums.values()];
}

const COUNTS = ['answered', 'equal', 'different', 'undecided', 'failed'] as const;

function printCanaries(output: Output, canaries: readonly CanaryState[]): void {
  if (canaries.length > 0) {
    output.table(
      ['name', 'share', 'answered', 'equal', 'different', 'undecided', 'failed'],
      canaries.map(({ name, percent, answered, equal, different, undecided, failed }) => {
        return [name, `${percent} %`, answered, equal, different, undecided, failed];
      }),
    );
  }
  for (const { name, example } of canaries) {
    if (example === undefined) continue;
    const { at, one, other, parameters } = example;
    output.warn(`${name} with ${JSON.stringify(parameters)}: ${at}: ${one} and, in the canary, ${other}`);
  }
  output.note(plural(canaries.length, 'canary'));
}

async function decide(
  context: CommandContext,
  decision: 'promote' | 'discard',
  names: readonly string[],
  { json = false }: Options,
): Promise<void> {
  const { inServices, requireCanaries } = await import('./in-services.js');
  const { printReloads } = await import('./print-reload.js');
  const reports = await inServices(context, [decision, ...names], (definitions) => {
    requireCanaries(definitions, names);
    return decision === 'promote' ? definitions.reload({ promoted: names }) : definitions.discard(names);
  });
  printReloads(context, reports, json);
}

import type { Command } from 'commander';
import type { CanaryState } from '../../../../server/live/live-definitions.js';
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
  const { inServices } = await import('./in-services.js');
  await inServices(context, ['canaries', ...(json ? ['--json'] : [])], async (definitions) => {
    const canaries = definitions.canaries();
    if (json) context.output.json(canaries);
    else printCanaries(context.output, canaries);
    return canaries.some(({ different, failed }) => different + failed > 0) ? 1 : 0;
  });
}

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
  const { inServices, printReport, requireCanaries } = await import('./in-services.js');
  await inServices(context, [decision, ...names, ...(json ? ['--json'] : [])], async (definitions) => {
    requireCanaries(definitions, names);
    const report = decision === 'promote' ? definitions.reload({ promoted: names }) : definitions.discard(names);
    await printReport(context.output, await report, json);
    return 0;
  });
}

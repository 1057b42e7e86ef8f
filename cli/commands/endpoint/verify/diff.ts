import { type Command, Option } from 'commander';
import type { ContractChange, Effect } from '../../../../engine/http/contract/change.js';
import type { CommandContext } from '../../../terminal/command-context.js';

interface Options {
  readonly failOn: Effect;
  readonly json?: boolean;
}

export function addDiffCommand(parent: Command, context: CommandContext): void {
  const levels = ['breaking', 'compatible', 'cosmetic'] satisfies readonly Effect[];
  parent
    .command('diff')
    .description(
      'compare the definitions with an earlier state, and classify every change for callers; needs no database',
    )
    .argument('<earlier>', 'URL or file of an openapi.json, definition file, folder, or git revision')
    .addOption(
      new Option('--fail-on <effect>', 'exit with 1 for a change of this class or a more severe one')
        .choices(levels)
        .default('breaking' satisfies Effect),
    )
    .option('--json', 'print JSON')
    .action((earlier: string, options: Options) => diff(context, earlier, options));
}

async function diff(context: CommandContext, earlier: string, { failOn, json }: Options): Promise<void> {
  const { EFFECTS } = await import('../../../../engine/http/contract/change.js');
  const { compareContracts } = await import('../../../../engine/http/contract/compare-contracts.js');
  const { clockOf } = await import('../../../../server/clock.js');
  const { readStates } = await import('./earlier-states.js');
  const { output, settings } = context;
  const { from, before, after, notes } = await readStates(context, earlier);
  const today = clockOf(settings)().toISOString().slice(0, 10);
  const changes = compareContracts(before, after, today);
  const counts = Object.fromEntries(
    EFFECTS.map((effect) => [effect, changes.filter((change) => change.effect === effect).length]),
  );
  if (json) output.json({ from, counts, changes, notes });
  else {
    await printChanges(context, changes);
    for (const note of notes) output.warn(`note: ${note}`);
    const summary = Object.entries(counts).map(([effect, count]) => `${count} ${effect}`);
    output.note(`${summary.join(', ')}; compared with ${from}`);
  }
  const failing = EFFECTS.slice(0, EFFECTS.indexOf(failOn) + 1);
  context.exitCode = changes.some(({ effect }) => failing.includes(effect)) ? 1 : 0;
}

const COLOURS = { breaking: 'red', compatible: 'green', cosmetic: 'dim' } as const;

/** Prints the changes in groups: by effect, then by endpoint. */
async function printChanges({ output }: CommandContext, changes: readonly ContractChange[]): Promise<void> {
  const { formatDifference } = await import('../../../../engine/http/contract/change.js');
  let last: ContractChange | undefined;
  for (const change of changes) {
    const { effect, endpoint } = change;
    const isNewEffect = effect !== last?.effect;
    if (isNewEffect) output.print(output.coloured(COLOURS[effect], effect));
    if (isNewEffect || endpoint !== last?.endpoint) output.print(`  ${endpoint}`);
    output.print(`    ${formatDifference(change)}`);
    last = change;
  }
}

import type { Command } from 'commander';
import type { MaterializedEndpoint, Refresh, RefreshParts } from '../../../engine/index.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { plural } from '../../terminal/numbers.js';

interface Options {
  readonly full?: boolean;
  readonly json?: boolean;
}

export function addMaterializeCommand(parent: Command, context: CommandContext): void {
  parent
    .command('materialize')
    .description('compute the stored rows of materialized definitions now')
    .argument('[names...]', 'endpoints; default: all materialized ones')
    .option('--full', 'compute all rows, also with a watermark')
    .option('--json', 'print JSON')
    .action((names: string[], options: Options) => materialize(context, names, options));
}

/** The result of one refresh. */
type Outcome = { readonly endpoint: string; readonly table: string } & (
  | (Pick<Refresh, 'rows' | 'isFull'> & { readonly ms: number })
  | { readonly error: string }
);

async function materialize(context: CommandContext, names: readonly string[], options: Options): Promise<void> {
  const { createServiceLoader, readDefinitions } = await import('../../../server/settings/definitions.js');
  const { inOrderOfReading, unknownEndpointError } = await import('../../../engine/index.js');
  const { settings, output } = context;
  if (settings.api === undefined) throw new Error('Only the folder of an API, with api.yaml, has materialized tables.');
  const { endpoints } = await readDefinitions(settings, createServiceLoader(settings));
  const all = inOrderOfReading(endpoints);
  const chosen = all.filter(({ endpoint }) => names.length === 0 || names.includes(endpoint.definition.name));
  for (const name of names) {
    if (chosen.some(({ endpoint }) => endpoint.definition.name === name)) continue;
    if (!endpoints.some(({ definition }) => definition.name === name)) throw unknownEndpointError(name, endpoints);
    throw new Error(`The definition ${name} has no key materialize.`);
  }
  if (chosen.length === 0) throw new Error('No definition has the key materialize.');
  const { rollups: store, database, versions } = await context.warehouse((notice) => output.warn(notice));
  if (store === undefined) {
    throw new Error('No account can create tables: set DATABASE_WRITE_URL, or DATABASE_ALLOW_WRITING_ACCOUNT=yes.');
  }
  const { clockOf } = await import('../../../server/clock.js');
  const parts = { store, database, versions, clock: clockOf(settings) };
  const { waitExclusively } = await import('../../../server/background/keep-rollups-current.js');
  const outcomes = await waitExclusively(store, () => refreshAll(context, chosen, parts, options.full === true));
  report(context, outcomes, options.json === true);
}

async function refreshAll(
  { signal, output }: CommandContext,
  chosen: readonly MaterializedEndpoint[],
  parts: RefreshParts,
  isFull: boolean,
): Promise<readonly Outcome[]> {
  const { refreshRollup } = await import('../../../engine/index.js');
  const outcomes: Outcome[] = [];
  for (const one of chosen) {
    const facts = { endpoint: one.endpoint.definition.name, table: one.rollup.table };
    const started = performance.now();
    output.note(`Computing ${facts.endpoint}.`);
    try {
      const { rows, isFull: wasFull } = await refreshRollup(one, parts, { isFull, signal });
      outcomes.push({ ...facts, rows, isFull: wasFull, ms: Math.round(performance.now() - started) });
    } catch (error) {
      signal.throwIfAborted();
      outcomes.push({ ...facts, error: (error as Error).message });
    }
  }
  return outcomes;
}

function report(context: CommandContext, outcomes: readonly Outcome[], isJson: boolean): void {
  const { output } = context;
  const failed = outcomes.filter((outcome) => 'error' in outcome);
  if (failed.length > 0) context.exitCode = 1;
  if (isJson) {
    output.json(outcomes);
    return;
  }
  output.table(
    ['endpoint', 'table', 'rows', 'computed', 'ms'],
    outcomes.flatMap((one) =>
      'error' in one ? [] : [[one.endpoint, one.table, one.rows, one.isFull ? 'all rows' : 'new rows', one.ms]],
    ),
  );
  for (const one of failed) output.warn(`${one.endpoint}: ${'error' in one ? one.error : ''}`);
  output.note(`${plural(outcomes.length - failed.length, 'table')} computed, ${failed.length} failed.`);
}

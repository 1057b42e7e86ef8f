import type { Command } from 'commander';
import type { QueryEnvelope } from '../../../engine/http/envelopes/query-envelope.js';
import type { CommandContext } from '../../terminal/command-context.js';
import type { Output } from '../../terminal/output.js';
import { claimOption, databaseOption, parameterOption, requestOf } from './options.js';

interface Options {
  readonly param: readonly string[];
  readonly claim: readonly string[];
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

export function addExplainCommand(parent: Command, context: CommandContext): void {
  parent
    .command('explain')
    .description('show the SQL of a request and the query plan of the database')
    .argument('<name>', 'name or file of the endpoint')
    .addOption(parameterOption())
    .addOption(claimOption())
    .addOption(databaseOption('--database-url', 'use this database instead of DATABASE_URL'))
    .option('--json', 'print JSON')
    .addHelpText('after', WIDE_PLAN)
    .action((name: string, options: Options) => explain(context, name, options));
}

const WIDE_PLAN = `
DuckDB draws a plan as a tree, which is printed unchanged: lines of a drawing
cannot be wrapped. To scroll a wide plan: endpoint explain … | less -S`;

async function explain(context: CommandContext, name: string, options: Options): Promise<void> {
  const { toPlanEnvelope } = await import('../../../engine/http/envelopes/query-envelope.js');
  const { findDefinition } = await import('./named-definitions.js');
  const { withEngine } = await import('./with-engine.js');
  const { output, signal } = context;
  const plan = await withEngine(context, options.databaseUrl, async (engine) => {
    const endpoint = await findDefinition(context, engine, name);
    return toPlanEnvelope(
      await engine.explain(endpoint, await requestOf(context.settings, endpoint, options), { signal }),
    );
  });
  if (options.json) {
    output.json(plan);
    return;
  }
  output.print(plan.sql);
  printPlan(output, plan);
}

/**
 * Prints a plan. A plan that the database formats as text is printed unchanged; a plan of rows and columns is printed
 * as a table.
 */
function printPlan(output: Output, { fields, data }: QueryEnvelope): void {
  const cells = data.map((row) => Object.values(row).map((cell) => String(cell ?? '')));
  const isDrawn = cells.flat().some((cell) => cell.includes('\n'));
  if (isDrawn) for (const row of cells) output.print(row.join('\n'));
  else
    output.table(
      fields.map(({ name }) => name),
      cells,
    );
}

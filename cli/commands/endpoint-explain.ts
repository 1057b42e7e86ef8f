import type { Command } from 'commander';
import { type QueryEnvelope, toPlanEnvelope } from '../../http/envelopes/query-envelope.js';
import type { CommandContext } from '../command-context.js';
import type { Output } from '../output.js';
import { databaseOption, endpointNamed, withEngine } from './endpoint-engine.js';
import { parameterOption, rawFromOption } from './endpoint-parameters.js';

interface ExplainOptions {
  readonly param: readonly string[];
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

export function addExplainCommand(parent: Command, context: CommandContext): void {
  parent
    .command('explain')
    .description("show the SQL of a request and the database's plan for it")
    .argument('<name>')
    .addOption(parameterOption())
    .addOption(databaseOption('--database-url', 'another database than that of DATABASE_URL'))
    .option('--json', 'as JSON')
    .action(async (name: string, { param, databaseUrl, json }: ExplainOptions) => {
      const { output, signal } = context;
      const plan = await withEngine(context, databaseUrl, async (engine) =>
        toPlanEnvelope(await engine.explain(endpointNamed(engine, name), rawFromOption(param), { signal })),
      );
      if (json) {
        output.json(plan);
        return;
      }
      output.print(plan.sql);
      showPlan(output, plan);
    });
}

/** A plan that is drawn, as it is; one of rows and columns as a table. */
function showPlan(output: Output, { fields, data }: QueryEnvelope): void {
  const cells = data.map((row) => Object.values(row).map((cell) => String(cell ?? '')));
  const isDrawn = cells.flat().some((cell) => cell.includes('\n'));
  if (isDrawn) for (const row of cells) output.print(row.join('\n'));
  else
    output.table(
      fields.map(({ name }) => name),
      cells,
    );
}

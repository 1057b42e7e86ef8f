import type { Command } from 'commander';
import { toPlanEnvelope } from '../../engine/index.js';
import type { CommandContext } from '../command-context.js';
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
      for (const row of plan.data) output.print(Object.values(row).join('\n'));
    });
}

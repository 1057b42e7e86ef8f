import type { Command } from 'commander';
import { toPlanEnvelope } from '../../engine/index.js';
import type { CommandContext } from '../command-context.js';
import { endpointNamed, engineOf } from './endpoint-engine.js';
import { parameterOption, rawFromOption } from './endpoint-parameters.js';

export function addExplainCommand(parent: Command, context: CommandContext): void {
  parent
    .command('explain')
    .description("show the SQL of a request and the database's plan for it")
    .argument('<name>')
    .addOption(parameterOption())
    .option('--json', 'as JSON')
    .action(async (name: string, { param, json }: { param: readonly string[]; json?: boolean }) => {
      const { output, signal } = context;
      const engine = await engineOf(context);
      const plan = toPlanEnvelope(await engine.explain(endpointNamed(engine, name), rawFromOption(param), { signal }));
      if (json) {
        output.json(plan);
        return;
      }
      output.print(plan.sql);
      for (const row of plan.data) output.print(Object.values(row).join('\n'));
    });
}

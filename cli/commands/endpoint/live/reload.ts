import type { Command } from 'commander';
import type { CommandContext } from '../../../terminal/command-context.js';
import { wholeNumber } from '../../../terminal/numbers.js';

interface Options {
  readonly canary?: number;
  readonly json?: boolean;
}

export function addReloadCommand(parent: Command, context: CommandContext): void {
  parent
    .command('reload')
    .description('let the running service read all definitions again and serve them from one moment to the next')
    .option('--canary <percent>', 'changed definitions answer only this share of the requests', wholeNumber(1, 99))
    .option('--json', 'print JSON')
    .action((options: Options) => reload(context, options));
}

async function reload(context: CommandContext, { canary, json = false }: Options): Promise<void> {
  const { inServices } = await import('./in-services.js');
  const { printReloads } = await import('./print-reload.js');
  const share = canary === undefined ? [] : ['--canary', String(canary)];
  const reports = await inServices(context, ['reload', ...share], (definitions) =>
    definitions.reload({ canaryPercent: canary }),
  );
  printReloads(context, reports, json);
}

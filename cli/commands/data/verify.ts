import type { Command } from 'commander';
import type { CommandContext } from '../../terminal/command-context.js';
import { count } from '../../terminal/numbers.js';

interface Options {
  readonly json?: boolean;
}

export function addVerifyCommand(parent: Command, context: CommandContext): void {
  parent
    .command('verify')
    .description('compare every block of the embedded database with its checksum, also while the service runs')
    .option('--json', 'print JSON')
    .action((options: Options) => verify(context, options));
}

async function verify({ warehouse, output, signal }: CommandContext, { json }: Options): Promise<void> {
  const source = await warehouse();
  if (source.verify === undefined) {
    throw new Error('Only the embedded database has this command. Use the tools of your database server.');
  }
  const started = performance.now();
  output.note('Reading the database. Queries and imports continue.');
  const { blocks, damaged } = await source.verify(signal);
  const seconds = Number(((performance.now() - started) / 1000).toFixed(1));
  if (json) output.json({ blocks, damaged, seconds });
  else if (damaged.length === 0) output.print(`${count(blocks)} blocks are intact, after ${seconds} s.`);
  if (damaged.length === 0) return;
  const { describeDamage } = await import('../../../engine/databases/duckdb/isolated/block-checksums.js');
  throw new Error(describeDamage('The database', damaged));
}

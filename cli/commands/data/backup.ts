import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandContext } from '../../terminal/command-context.js';

interface Options {
  readonly json?: boolean;
}

export function addBackupCommand(parent: Command, context: CommandContext): void {
  parent
    .command('backup')
    .description('copy the embedded database into a new file, also while the service runs')
    .argument('<file>', 'the new file; the account of the running service must be able to create it')
    .option('--json', 'print JSON')
    .action((file: string, options: Options) => backUp(context, file, options));
}

async function backUp(
  { warehouse, output, settings, cwd, signal }: CommandContext,
  name: string,
  { json }: Options,
): Promise<void> {
  const { openForReading } = await import('../../../server/databases/open-database.js');
  const file = resolve(cwd, name);
  const source = await warehouse();
  if (source.backUp === undefined) {
    throw new Error('Only the embedded database has this command. Use the tools of your database server.');
  }
  const started = performance.now();
  output.note('Copying the database. Imports wait until it is complete.');
  await source.backUp(file, signal);
  // Opening the copy verifies that it needs no log file and has the tables of this version.
  const copy = await openForReading({ ...settings, databaseUrl: `duckdb:${file}` }, (notice) => output.warn(notice));
  await copy.close();
  const { size: bytes } = await stat(file);
  const seconds = Number(((performance.now() - started) / 1000).toFixed(1));
  if (json) output.json({ file, bytes, seconds });
  else output.print(`${file} contains the database: ${(bytes / 1e6).toFixed(1)} MB, after ${seconds} s.`);
}

import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { LoadedTable } from '../../../warehouse/own-tables/load-own-table.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { plural } from '../../terminal/numbers.js';
import type { Output } from '../../terminal/output.js';

interface Options {
  readonly name?: string;
  readonly replace?: boolean;
  readonly describe?: boolean;
  readonly json?: boolean;
}

export function addTableLoadCommand(parent: Command, context: CommandContext): void {
  parent
    .command('load')
    .description('load a CSV or Parquet file as a table that definitions can join; a wrong value changes nothing')
    .argument('<file>', 'a .csv, .tsv or .parquet file, documented by a file such as own.table.yaml next to it')
    .option('--name <table>', 'name of the table; default: own_ and the name of the file')
    .option('--replace', 'replace the own table of this name')
    .option('--describe', 'write the documentation file with the types of the values, and load nothing')
    .option('--json', 'print JSON')
    .action((file: string, options: Options) => load(context, file, options));
}

async function load(context: CommandContext, path: string, options: Options): Promise<void> {
  const { importFolders, requireStore } = await import('../../../server/databases/warehouse.js');
  const { describeOwnTable, loadOwnTable } = await import('../../../warehouse/own-tables/load-own-table.js');
  const { writeTableDocument } = await import('../../../warehouse/own-tables/table-document.js');
  const { newWarehouse, output, settings, signal, cwd } = context;
  const file = resolve(cwd, path);
  const { stagingDirectory } = importFolders(settings);
  const opened = await newWarehouse();
  const store = requireStore(opened);
  const steps = printSlowSteps(output);
  try {
    const staging = { file, stagingDirectory, signal, onStep: steps.begin };
    if (options.describe) {
      const written = await writeTableDocument(file, () => describeOwnTable(store, staging));
      if (options.json) output.json({ written });
      else output.print(`Wrote ${written}. Add the descriptions, then load the file.`);
      return;
    }
    const { name, replace = false } = options;
    const loaded = await loadOwnTable(store, { ...staging, name, replace, now: new Date() });
    const { tables } = await opened.versions.confirm();
    printLoaded(output, loaded, tables.get(loaded.name) ?? null, options.json ?? false);
  } finally {
    steps.end();
  }
}

function printLoaded(output: Output, loaded: LoadedTable, version: string | null, json: boolean): void {
  const { name, rows, document, loadedAt, source, isInferred } = loaded;
  if (json) {
    const columns = Object.entries(document.columns).map(([column, facts]) => ({ name: column, ...facts }));
    output.json({ name, rows, columns, key: document.key ?? [], version, loadedAt, source, inferred: isInferred });
  } else {
    const columns = Object.entries(document.columns).map(
      ([column, { type, nullable }]) => `${column} ${type}${nullable ? ' NULL' : ''}`,
    );
    output.print(`${name}: ${plural(rows, 'row')}, version ${version}`);
    output.print(`columns: ${columns.join(', ')}`);
  }
  if (!isInferred) return;
  output.warn(
    `The file has no documentation, so the types are those of its values, and a later file can have others. Run ` +
      '`data table load <file> --describe`, complete the written file, and load again with --replace.',
  );
}

/** Prints the names of steps, but only if the work takes longer than two seconds. `end` must be called after the work. */
function printSlowSteps(output: Output) {
  let current = '';
  let isSlow = false;
  const timer = setTimeout(() => {
    isSlow = true;
    output.note(current);
  }, SLOW_MS);
  const begin = (step: string) => {
    current = step;
    if (isSlow) output.note(step);
  };
  return { begin, end: () => clearTimeout(timer) };
}

const SLOW_MS = 2_000;

import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Problem } from '../../../../engine/index.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import { plural } from '../../../terminal/numbers.js';

interface Options {
  readonly check?: boolean;
  readonly json?: boolean;
}

export function addFormatCommand(parent: Command, context: CommandContext): void {
  parent
    .command('format')
    .description('write definition files in one format: order of keys, indentation, long texts; needs no database')
    .argument('[files...]', 'names of definitions, or files; without them, all files of definitions and shared parts')
    .option('--check', 'change nothing, and list the files that would change')
    .option('--json', 'print JSON')
    .action((files: string[], options: Options) => format(context, files, options));
}

async function format(context: CommandContext, names: readonly string[], { check, json }: Options): Promise<void> {
  const { findDefinitionFiles, formatProblem } = await import('../../../../engine/index.js');
  const { formatDefinitionText } = await import('../../../../engine/authoring/index.js');
  const { definitionFolders } = await import('../../../../server/settings/definition-folders.js');
  const { findFiles } = await import('../named-definitions.js');
  const { findPackageFile } = await import('../replace-file.js');
  const { replaceFile } = await import('../replace-file.js');
  const { output, settings, cwd } = context;
  const all = names.length === 0;
  const folders = definitionFolders(settings).map((folder) => resolve(folder));
  const unreadable: Problem[] = [];
  const found = all ? await findDefinitionFiles(folders, unreadable) : [];
  const files = all ? found.map(({ path }) => path) : await findFiles(context, names);
  const changed: string[] = [];
  const problems = unreadable.map(formatProblem);
  for (const file of files) {
    const text = await readFile(file, 'utf8');
    const formatted = await formatDefinitionText(file, text);
    const fault = check === true ? undefined : findPackageFile(settings, file);
    if ('problem' in formatted) problems.push(formatProblem(formatted.problem));
    else if (formatted.text === text) continue;
    else if (fault !== undefined) problems.push(fault);
    else {
      changed.push(relative(cwd, file));
      if (check !== true) await replaceFile(file, formatted.text);
    }
  }
  if (json) output.json({ changed, problems });
  else {
    for (const file of changed) output.print(file);
    for (const problem of problems) output.error(problem);
    const verb = check === true ? 'would change' : 'changed';
    output.note(`${plural(files.length, 'file')}, ${changed.length} ${verb}, ${plural(problems.length, 'problem')}`);
  }
  context.exitCode = problems.length > 0 || (check === true && changed.length > 0) ? 1 : 0;
}

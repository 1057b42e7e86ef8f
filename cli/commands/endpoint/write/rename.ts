import { existsSync } from 'node:fs';
import { readFile, rename as renameFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import type { Command } from 'commander';
import type { CommandContext } from '../../../terminal/command-context.js';

interface Options {
  readonly path?: boolean;
  readonly json?: boolean;
}

export function addRenameCommand(parent: Command, context: CommandContext): void {
  parent
    .command('rename')
    .description('rename a definition, and its file if the file has the old name; needs no database')
    .argument('<old>', 'name or file of the endpoint')
    .argument('<new>', 'new name')
    .option('--path', 'also replace the old name in the path')
    .option('--json', 'print JSON')
    .action((old: string, name: string, options: Options) => rename(context, old, name, options));
}

async function rename(context: CommandContext, from: string, name: string, options: Options): Promise<void> {
  const { findNameFault, readIdentity, replaceTopValues } = await import('../../../../engine/authoring/index.js');
  const { findFiles } = await import('../named-definitions.js');
  const { requireOwnFile } = await import('../replace-file.js');
  const { replaceFile } = await import('../replace-file.js');
  const { readTakenNames, requireFree } = await import('./taken-names.js');
  const fault = findNameFault(name);
  if (fault !== undefined) throw new Error(`${name} is not a valid name: expected ${fault}.`);
  const [file = ''] = await findFiles(context, [from]);
  requireOwnFile(context.settings, file);
  const taken = await readTakenNames(context.settings, file);
  const text = await readFile(file, 'utf8');
  const { name: oldName, path: oldPath } = await readIdentity(text);
  if (oldName === undefined) throw new Error(`${relative(context.cwd, file)} has no name.`);
  const old = { name: oldName, path: oldPath };
  const path = options.path === true ? newPath(old, name) : old.path;
  const values = { name, ...(path !== old.path && path !== undefined && { path }) };
  requireFree(values, taken);
  const renamed = join(
    dirname(file),
    basename(file, extname(file)) === old.name ? `${name}${extname(file)}` : basename(file),
  );
  if (renamed !== file && existsSync(renamed))
    throw new Error(`${relative(context.cwd, renamed)} exists already: move it first.`);
  const { readRollupTables } = await import('../../../../server/settings/definitions.js');
  const { rollupTableOf } = await import('../../../../engine/index.js');
  const table = rollupTableOf(old.name);
  const isStored = context.settings.api !== undefined && (await readRollupTables(context.settings)).has(table);
  const changed = await replaceTopValues(file, text, values);
  // After each of the two steps, exactly one file contains the complete definition, so a running service never reads two definitions or
  // none.
  await replaceFile(file, changed);
  if (renamed !== file) await renameFile(file, renamed);
  const other = taken.fileOf.get(old.name);
  if (isStored)
    context.output.warn(
      `The rows are now in the table ${rollupTableOf(name)}: change definitions that read ${table}, and rename tables/${table}.yaml.`,
    );
  print(context, { old, now: { name, path }, file: relative(context.cwd, renamed), other }, options.json === true);
}

interface Identity {
  readonly name: string;
  readonly path: string | undefined;
}

function newPath({ name: old, path }: Identity, name: string): string {
  const segments = path?.split('/') ?? [];
  if (path === undefined || !segments.includes(old))
    throw new Error(
      `--path: expected a path with the segment ${old}, got ${path ?? 'no path'}. Change the path in the file.`,
    );
  return segments.map((segment) => (segment === old ? name : segment)).join('/');
}

interface Renamed {
  readonly old: Identity;
  readonly now: Identity;
  readonly file: string;
  /** Another file that defines the old name: a definition in another folder, which the renamed definition overrode. */
  readonly other: string | undefined;
}

function print({ output }: CommandContext, { old, now, file, other }: Renamed, json: boolean): void {
  if (json) {
    output.json({ old, new: now, file, ...(other !== undefined && { other }) });
    return;
  }
  output.print(`renamed ${old.name} to ${now.name} in ${file}`);
  output.note(`Callers must change /q/${old.name} to /q/${now.name}.`);
  if (now.path !== old.path) output.note(`Callers must change ${old.path} to ${now.path}.`);
  if (other !== undefined) output.warn(`${other} also has the name ${old.name}: it is no longer replaced.`);
}

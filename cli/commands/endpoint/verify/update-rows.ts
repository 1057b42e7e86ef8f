import { readFile } from 'node:fs/promises';
import {
  type Check,
  editRows,
  type FixtureEngine,
  findNewRows,
  type RowsEdit,
} from '../../../../engine/authoring/index.js';
import { type Endpoint, type Engine, formatPlace } from '../../../../engine/index.js';
import type { FolderSettings } from '../../../../server/settings/definition-folders.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import { plural } from '../../../terminal/numbers.js';
import { replaceFile, requireOwnFile } from '../replace-file.js';
import { describeFailure } from './print-verification.js';

export interface UpdateOptions {
  readonly engine: Engine | undefined;
  readonly fixtures: FixtureEngine | undefined;
  /** Whether rows are also added to examples without `rows`. */
  readonly addsRows: boolean;
  readonly json: boolean;
}

interface Update {
  readonly name: string;
  readonly file: string;
  /** The examples and fixtures whose rows were changed. */
  readonly updated: readonly { readonly kind: 'example' | 'fixture'; readonly name: string; readonly rows: number }[];
  readonly failed: readonly Check[];
  /** The reason why the file could not be written. */
  readonly error?: string;
}

/** Writes the current rows of examples and fixtures into the definition files. Returns true if all requests succeeded. */
export async function updateRows(
  { output, settings, signal }: CommandContext,
  endpoints: readonly Endpoint[],
  { json, ...options }: UpdateOptions,
): Promise<boolean> {
  const updates: Update[] = [];
  for (const endpoint of endpoints) {
    const stopwatch = () => performance.now();
    const { edits, failed } = await findNewRows(endpoint, { ...options, stopwatch, signal });
    const { name } = endpoint.definition;
    const error = await applyEdits(settings, endpoint.file, edits).catch((reason: Error) => reason.message);
    const updated = error === undefined ? edits.map(describeEdit) : [];
    updates.push({ name, file: endpoint.file, updated, failed, ...(error !== undefined && { error }) });
  }
  const hasFailed = updates.some(({ failed, error }) => failed.length > 0 || error !== undefined);
  if (json) {
    output.json(updates);
    return !hasFailed;
  }
  for (const { file, updated, failed, error } of updates) {
    for (const { kind, name, rows } of updated) output.print(`${file}: ${kind} ${name}: ${plural(rows, 'row')}`);
    for (const check of failed) output.error(placedFailure(check));
    if (error !== undefined) output.error(error);
  }
  const count = updates.reduce((sum, { updated }) => sum + updated.length, 0);
  output.note(`${plural(count, 'request')} updated in ${plural(endpoints.length, 'endpoint')}`);
  return !hasFailed;
}

function placedFailure(check: Check): string {
  const isPlaced = check.kind === 'definition' || check.place === undefined;
  return isPlaced ? describeFailure(check) : `${formatPlace(check.place)}: ${describeFailure(check)}`;
}

function describeEdit({ list, name, rows }: RowsEdit): Update['updated'][number] {
  return { kind: list === 'examples' ? 'example' : 'fixture', name, rows: rows.length };
}

async function applyEdits(settings: FolderSettings, file: string, edits: readonly RowsEdit[]): Promise<undefined> {
  if (edits.length === 0) return;
  requireOwnFile(settings, file);
  await replaceFile(file, await editRows(file, await readFile(file, 'utf8'), edits));
}

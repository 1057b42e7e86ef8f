import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { routeShape } from '../../definitions/load/find-repeats.js';
import type { Problem } from '../../definitions/problem.js';
import type { PrivateData } from '../../sql/reading/private-data.js';
import { createSqlReader } from '../../sql/reading/sql-reader.js';
import type { BuildOptions } from './build-columns.js';
import { buildEndpoint } from './build-endpoint.js';
import type { ConversionResult, SourcePlace } from './conversion.js';
import { type ForeignFormat, findSources } from './find-sources.js';

/** A definition that already uses a name or a route. */
export interface TakenDefinition {
  readonly name: string | undefined;
  readonly path: string | undefined;
  readonly file: string;
}

export interface ImportOptions extends Omit<BuildOptions, 'readSqlText'> {
  /** The file or folder to import. */
  readonly path: string;
  /** Undefined to detect the format from the files. */
  readonly format: ForeignFormat | undefined;
  /** The folder for the definition files. */
  readonly out: string;
  /** Whether existing files may be replaced. */
  readonly replacing: boolean;
  /** The start of the routes. */
  readonly routePrefix: string;
  readonly taken: readonly TakenDefinition[];
  readonly privateData: PrivateData;
}

/** The result for one foreign definition. `changes` and `problems` have positions in the foreign files. */
export interface ImportedDefinition {
  readonly name: string;
  readonly source: SourcePlace;
  /** `imported`: nothing is lost or inferred. `changed`: imported with `changes`. `rejected`: not imported because of `problems`. */
  readonly status: 'imported' | 'changed' | 'rejected';
  /** The definition file and its text; undefined if the definition is rejected. */
  readonly file?: string;
  readonly text?: string;
  readonly changes: readonly Problem[];
  readonly problems: readonly Problem[];
}

export interface ImportReport {
  readonly format: ForeignFormat;
  readonly definitions: readonly ImportedDefinition[];
}

/**
 * Converts foreign definitions to the texts of definition files, and checks them in memory. It writes nothing. Throws an error for
 * the user if there is nothing to import.
 */
export async function importDefinitions(options: ImportOptions): Promise<ImportReport> {
  const { format, convert } = await findSources(options.path, options.format, options.routePrefix);
  const readSqlText = createSqlReader(options.privateData);
  const definitions: ImportedDefinition[] = [];
  const taken = [...options.taken];
  for (const result of await convert()) {
    const imported = await importOne(result, { ...options, readSqlText, taken });
    definitions.push(imported.report);
    if (imported.taken !== undefined) taken.push(imported.taken);
  }
  return { format, definitions };
}

interface Imported {
  readonly report: ImportedDefinition;
  readonly taken?: TakenDefinition;
}

async function importOne(result: ConversionResult, options: ImportOptions & BuildOptions): Promise<Imported> {
  const { name, place: source, definition } = result;
  const reject = (problems: readonly Problem[]): Imported => ({
    report: { name, source, status: 'rejected', changes: [], problems },
  });
  if (definition === undefined) return reject(result.problems);
  const built = await buildEndpoint(definition, source, options);
  if (built.text === undefined) return reject(built.problems);
  const file = join(options.out, `${name}.yaml`);
  const conflicts = await findConflicts(result, built.path, file, options);
  if (conflicts.length > 0) return reject(conflicts);
  const changes = [...result.changes, ...built.changes];
  const status = changes.length === 0 ? 'imported' : 'changed';
  return {
    report: { name, source, status, file, text: built.text, changes, problems: [] },
    taken: { name, path: built.path, file: `${source.file}:${source.line}` },
  };
}

/** Finds conflicts with other definitions: names and routes must be unique, and existing files are replaced only on request. */
async function findConflicts(
  { name, place }: ConversionResult,
  path: string | undefined,
  file: string,
  { taken, replacing }: ImportOptions,
): Promise<Problem[]> {
  const others = taken.filter((other) => other.file !== file);
  const sameName = others.find((other) => other.name === name);
  if (sameName !== undefined) {
    return [{ ...place, key: 'name', message: `the name "${name}" is already used by ${sameName.file}` }];
  }
  const sameRoute = others.find(
    (other) => path !== undefined && other.path !== undefined && routeShape(other.path) === routeShape(path),
  );
  if (sameRoute !== undefined) {
    return [{ ...place, key: 'path', message: `${path} matches the same URLs as the path of ${sameRoute.file}` }];
  }
  const exists = !replacing && (await stat(file).catch(() => undefined)) !== undefined;
  return exists ? [{ ...place, key: '', message: `the file ${file} exists: replace it with --force` }] : [];
}

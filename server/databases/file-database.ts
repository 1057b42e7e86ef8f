import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import {
  createFileTables,
  type FileTable,
  filesOf,
  pathOf,
} from '../../engine/databases/duckdb/connection/file-tables.js';
import { type EmbeddedOptions, IN_MEMORY } from '../../engine/databases/duckdb/connection/options.js';
import { type EmbeddedDatabase, openEmbedded } from '../../engine/databases/duckdb/embedded.js';
import { FileRollups } from '../../engine/databases/duckdb/file-rollups.js';
import { PolledVersions } from '../../warehouse/versions/polled-versions.js';
import type { OpenDatabase } from './warehouse.js';

interface FileDatabase extends Pick<OpenDatabase, 'versions' | 'rollups' | 'close'> {
  readonly database: EmbeddedDatabase;
  /** The SELECT of the view of each table by name, in the dialect of DuckDB. */
  readonly selects: ReadonlyMap<string, string>;
}

export interface FileDatabaseOptions extends Omit<EmbeddedOptions, 'file' | 'rollupFolder'> {
  readonly rollupFolder: string;
  readonly tables: readonly FileTable[];
  /** The interval in which the state of the files is read, while requests arrive. */
  readonly pollMs: number;
}

/** Opens a database in memory whose tables are files. Reports tables whose files cannot be read; throws an Error if no table can be read. */
export async function openFileDatabase({ tables, pollMs, ...options }: FileDatabaseOptions): Promise<FileDatabase> {
  const database = await openEmbedded({ ...options, file: IN_MEMORY, sourcePaths: tables.map(pathOf) });
  let selects: ReadonlyMap<string, string>;
  try {
    // Not in a transaction, which a table with broken files would abort.
    const created = await database.maintain((connection) => createFileTables(connection, tables));
    const { failures } = created;
    selects = created.selects;
    const messages = failures.map(
      ({ table: { name, source }, message }) => `tables/${name}.yaml: ${source}: ${message}`,
    );
    if (failures.length === tables.length) throw new Error(messages.join('\n'));
    for (const message of messages)
      options.onNotice?.(`${message}; definitions cannot read this table until a restart`);
  } catch (error) {
    await database.close();
    throw error;
  }
  const opened = await openRollups(database, { ...options, pollMs }, () => readFileVersions(database, tables));
  return { database, selects, ...opened };
}

interface RollupFolder extends Pick<FileDatabaseOptions, 'rollupFolder' | 'pollMs' | 'onNotice'> {}

/** Opens the materialized tables of an embedded database. `readVersions` returns the versions of its other tables. */
export async function openRollups(
  database: EmbeddedDatabase,
  { rollupFolder: folder, pollMs, onNotice }: RollupFolder,
  readVersions: () => Promise<ReadonlyMap<string, string>>,
): Promise<Pick<FileDatabase, 'rollups' | 'versions' | 'close'>> {
  const onChange = () => versions.expectChange();
  const read = async () => new Map([...(await readVersions()), ...rollups.versions()]);
  const versions = new PolledVersions({ read, pollMs, onNotice });
  const rollups = await FileRollups.open({ database, folder, pollMs, onNotice, onChange }).catch(
    async (error: unknown) => {
      await database.close();
      throw error;
    },
  );
  const close = async () => {
    rollups.close();
    versions.close();
    await database.close();
  };
  return { rollups, versions, close };
}

/** Returns a version of each table that changes when one of its files is added, removed or written. */
async function readFileVersions(
  database: EmbeddedDatabase,
  tables: readonly FileTable[],
): Promise<Map<string, string>> {
  const versions = new Map<string, string>();
  // One after the other, so that many tables do not fill the queue of the database.
  for (const table of tables) {
    const hash = createHash('sha256');
    for (const file of await filesOf(database, table)) {
      // A file can be removed between the list and this line.
      const state = await stat(file, { bigint: true }).catch(() => undefined);
      hash.update(`${file}\n${state?.dev} ${state?.ino} ${state?.size} ${state?.mtimeNs} ${state?.ctimeNs}\n`);
    }
    versions.set(table.name, hash.digest('base64url').slice(0, 16));
  }
  return versions;
}

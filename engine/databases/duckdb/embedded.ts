import { realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { ConstantBackoff, handleWhen, retry } from 'cockatiel';
import { MAX_RESULT_BYTES, unavailableError } from '../failures.js';
import type {
  BoundValue,
  Database,
  DescribedColumn,
  ExplainOptions,
  PreparedQuery,
  QueryOptions,
  ResultSet,
  StreamOptions,
} from '../interface/database.js';
import type { QueryLimits } from '../interface/deadline.js';
import { EngineError } from '../interface/errors.js';
import { ROLLUP_DATABASE } from '../interface/rollups.js';
import { listColumns } from '../list-columns.js';
import { createOwnFolder, type OwnFolder } from '../own-folder.js';
import { ReaderPool } from '../reader-pool.js';
import { backUp, verifyFile } from './back-up.js';
import { countKeptPlans } from './connection/cached-statement.js';
import { type EmbeddedOptions, IN_MEMORY, megabytesOf } from './connection/options.js';
import { Reader } from './connection/reader.js';
import { attachRollups, createMacros, instanceOptions, prepareInstance } from './connection/settings.js';
import { DUCKDB_DIALECT } from './dialect.js';
import { DuckDBInstance } from './driver/node-api.js';
import { overwriteFreeBlocks, rebuildTables } from './erase-deleted.js';
import { asQueryError } from './explain-query-error.js';
import type { CheckedBlocks } from './isolated/block-checksums.js';
import type { CopySource } from './isolated/database-copies.js';
import { IsolatedDatabase, type IsolatedOptions } from './isolated/isolated-database.js';
import { DatabaseHeldError, explainOpenError } from './open-error.js';
import { findDiscardedLog, OpenFile } from './open-file.js';
import { Writer } from './writer.js';

/** A DuckDB file that this process has open. Queries see the last commit and never wait for the writer. */
export interface EmbeddedDatabase extends Database {
  /** The limit of the memory that all statements together may use. */
  readonly memoryMegabytes: number;
  /** Runs `work` in a transaction on the writing connection. Calls run one at a time, in their order. */
  write<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T>;
  /** Like `write`, but without a transaction, for statements that do not allow one, such as CHECKPOINT. */
  maintain<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T>;
  /**
   * Like `write`, but on a second connection with its own mutex, for small changes that must not wait for an import.
   * `change` must not write to a table that `write` writes to.
   */
  change<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T>;
  /** Erases the values of deleted rows of tables that `change` writes to; see `erase-deleted.ts`. */
  eraseDeleted(isErased: (table: string) => boolean): Promise<void>;
  /**
   * Opens a part of the data for untrusted queries; see `IsolatedDatabase`. The returned database is closed together
   * with this one. `selects` are the SELECTs of the views of other files by name, in the dialect of DuckDB.
   */
  openIsolated(options: IsolatedOptions, selects?: ReadonlyMap<string, string>): Promise<Database>;
  /** Copies the database into a new file; see `backUp`. */
  backUp(to: string, signal: AbortSignal): Promise<void>;
  /** Compares the blocks of the file with their checksums. Queries and commits continue. */
  verify(signal: AbortSignal): Promise<CheckedBlocks>;
}

/** Opens the file, or creates it. Throws `DatabaseHeldError` or `DatabaseFileError`. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const isInMemory = options.file === IN_MEMORY;
  const file = isInMemory ? IN_MEMORY : claimFile(options.file, options.access ?? 'read_write');
  const temporary = await createTemporary(options).catch((error: unknown) => {
    releaseFile(file);
    throw error;
  });
  let instance: DuckDBInstance | undefined;
  try {
    const discarded = isInMemory ? undefined : await findDiscardedLog(file);
    instance = await DuckDBInstance.create(file, instanceOptions({ ...options, tempDirectory: temporary?.path }));
    if (discarded !== undefined) options.onNotice?.(discarded);
    const [writer, changer] = [await instance.connect(), await instance.connect()];
    const readers = await Promise.all(
      Array.from({ length: options.readers }, () => (instance as DuckDBInstance).connect()),
    );
    await createMacros(writer);
    if (options.rollupFolder !== undefined) await attachRollups(writer, [changer, ...readers]);
    await prepareInstance(writer, options);
    await writer.run('SET lock_configuration = true');
    const opened = await OpenFile.of(file, isInMemory, options.onNotice);
    if (options.access !== 'read_only') await opened.makePrivate();
    return new OpenDatabase(opened, { instance, writer, changer, readers, temporary }, options);
  } catch (error) {
    instance?.closeSync();
    releaseFile(file);
    await temporary?.remove();
    throw explainOpenError(file, error);
  }
}

interface OpenedParts {
  readonly instance: DuckDBInstance;
  /** The folder of intermediate results. */
  readonly temporary: OwnFolder | undefined;
  readonly writer: DuckDBConnection;
  readonly changer: DuckDBConnection;
  readonly readers: readonly DuckDBConnection[];
}

/**
 * DuckDB rejects a checkpoint while another transaction has changes, and also shortly after a commit if queries still run. So a checkpoint
 * is retried for 20 seconds: a busy service needs several attempts, and the longest query lasts several seconds.
 */
const CHECKPOINT_RETRY = retry(
  handleWhen((error) => /other write transactions active/.test(error.message)),
  { maxAttempts: 1_000, backoff: new ConstantBackoff(20) },
);

const COLUMNS = `
  SELECT table_name, column_name FROM duckdb_columns()
  WHERE database_name IN (current_database(), '${ROLLUP_DATABASE}') AND schema_name = current_schema() AND NOT internal`;

class OpenDatabase implements EmbeddedDatabase, CopySource {
  readonly name = DUCKDB_DIALECT.name;
  readonly concurrency: number;
  version = 0;
  readonly #opened: OpenFile;
  readonly #instance: DuckDBInstance;
  readonly #temporary: OwnFolder | undefined;
  readonly #writer: Writer;
  readonly #changer: Writer;
  readonly #readers: ReaderPool<Reader>;
  readonly #options: EmbeddedOptions;
  readonly #isolatedDatabases: IsolatedDatabase[] = [];
  #closing: Promise<void> | undefined;

  constructor(
    opened: OpenFile,
    { instance, writer, changer, readers, temporary }: OpenedParts,
    options: EmbeddedOptions,
  ) {
    const { statements = 256, maxWaiting = 256, maxWaitMs = 5_000, maxResultBytes = MAX_RESULT_BYTES } = options;
    this.#opened = opened;
    this.#instance = instance;
    this.#temporary = temporary;
    const steps = { before: () => opened.requirePresent(), after: () => opened.makeLogPrivate() };
    this.#writer = new Writer(writer, steps);
    this.#changer = new Writer(changer, steps);
    const keptPlans = countKeptPlans(options.memoryLimit, readers.length);
    const readsFiles = options.sourcePaths !== undefined;
    const limits = { statements, maxBytes: maxResultBytes, keptPlans, readsFiles };
    this.#readers = new ReaderPool(
      readers.map((connection) => new Reader(connection, limits)),
      { maxWaiting, maxWaitMs },
    );
    this.#options = options;
    this.concurrency = readers.length;
  }

  get file(): string {
    return this.#opened.path;
  }

  get memoryMegabytes(): number {
    return megabytesOf(this.#options.memoryLimit);
  }

  get pool() {
    return this.#readers.pool;
  }

  prepare(sql: string): PreparedQuery {
    return DUCKDB_DIALECT.prepare(sql);
  }

  query(query: PreparedQuery, values: readonly BoundValue[], options: QueryOptions): Promise<ResultSet> {
    return this.#read(this.#readers.use((reader) => reader.read(query.sql, values, options), signalOf(options)));
  }

  stream(
    query: PreparedQuery,
    values: readonly BoundValue[],
    options: StreamOptions,
  ): Promise<{ readonly more: boolean }> {
    return this.#read(
      this.#readers.use((reader) => reader.stream(query.sql, values, options), options.deadline.signal),
    );
  }

  describe(query: PreparedQuery, limits: QueryLimits): Promise<readonly DescribedColumn[]> {
    return this.#read(this.#readers.use((reader) => reader.describe(query.sql, limits), signalOf(limits)));
  }

  listColumns(limits: QueryLimits): Promise<ReadonlyMap<string, readonly string[]>> {
    return listColumns(this, COLUMNS, limits);
  }

  explain(query: PreparedQuery, values: readonly BoundValue[], options: ExplainOptions): Promise<ResultSet> {
    const words = options.forProgram === true ? 'EXPLAIN (FORMAT JSON)' : 'EXPLAIN';
    return this.query({ sql: `${words} ${query.sql}` }, values, options);
  }

  async ping(timeoutMs: number): Promise<void> {
    await this.#opened.requireUsable();
    try {
      await this.query({ sql: 'SELECT 1' }, [], { maxRows: 1, timeoutMs });
    } catch (error) {
      if (error instanceof EngineError && error.code === 'database_unavailable') throw error;
      const cause = new Error(`The database ${this.file} does not answer.`, { cause: error });
      throw unavailableError('The database does not answer.', cause);
    }
  }

  write<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.#explained(this.#writer.transaction(work)).finally(() => {
      this.version += 1;
    });
  }

  maintain<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.#explained(this.#writer.withoutTransaction(work)).finally(() => {
      this.version += 1;
    });
  }

  change<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.#explained(this.#changer.transaction(work));
  }

  async eraseDeleted(isErased: (table: string) => boolean): Promise<void> {
    await this.#explained(
      this.#writer.withoutTransaction(async (connection) => {
        await this.#changer.transaction((changer) => rebuildTables(changer, isErased));
        await overwriteFreeBlocks(connection, () => this.#checkpoint(connection));
      }),
    );
    await Promise.all(this.#isolatedDatabases.map((database) => database.copyAgain()));
  }

  async openIsolated(options: IsolatedOptions, selects?: ReadonlyMap<string, string>): Promise<Database> {
    const isCopied = this.#options.access !== 'read_only' && selects === undefined;
    const file = selects === undefined ? this.file : undefined;
    const paths = this.#options.sourcePaths ?? [];
    const check = async () => (file === undefined ? undefined : this.#opened.requireUsable());
    const source = isCopied ? this : { file, paths, selects: selects ?? new Map(), check };
    const database = await IsolatedDatabase.open(source, options);
    this.#isolatedDatabases.push(database);
    return database;
  }

  backUp(to: string, signal: AbortSignal): Promise<void> {
    return backUp(this, to, signal);
  }

  verify(signal: AbortSignal): Promise<CheckedBlocks> {
    return verifyFile(this, signal);
  }

  /** Explains the error of a query to the author of its SQL. */
  #read<T>(work: Promise<T>): Promise<T> {
    return this.#explained(work).catch((error: unknown) => {
      throw asQueryError(error);
    });
  }

  #explained<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      throw this.#opened.explain(error);
    });
  }

  /**
   * Runs `work` while the database file does not change. Commits of `change` go only to the write-ahead log during that time.
   */
  whileUnchanged<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.#writer.withoutTransaction(async (connection) => {
      await this.#checkpoint(connection);
      return work(connection);
    });
  }

  /** Writes the write-ahead log into the file. `connection` must be that of the writer, and no other work may use it. */
  async #checkpoint(connection: DuckDBConnection): Promise<void> {
    await CHECKPOINT_RETRY.execute(() => this.#changer.withoutTransaction(() => connection.run('CHECKPOINT')));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { closeGraceMs = 5_000, access = 'read_write' } = this.#options;
    const changed = this.#changer.close(closeGraceMs, async () => undefined);
    try {
      await Promise.all([
        ...this.#isolatedDatabases.map((database) => database.close()),
        this.#readers.close(closeGraceMs),
        this.#writer.close(closeGraceMs, async (connection) => {
          await changed;
          if (access === 'read_write') await connection.run('FORCE CHECKPOINT');
        }),
      ]);
    } finally {
      this.#instance.closeSync();
      releaseFile(this.file);
      await this.#temporary?.remove();
    }
  }
}

/** Returns the signal that ends the wait for a reader. */
function signalOf(limits: QueryLimits): AbortSignal | undefined {
  return 'deadline' in limits ? limits.deadline.signal : limits.signal;
}

/** Creates a separate folder for intermediate results, because two databases with the same folder would overwrite each other's files. */
async function createTemporary({ tempDirectory: parent }: EmbeddedOptions): Promise<OwnFolder | undefined> {
  if (parent === undefined) return undefined;
  await mkdir(parent, { recursive: true });
  return createOwnFolder(parent, 'database');
}

/** The files that this process has open: for writing, or the number of times for reading. */
const openFiles = new Map<string, number | 'read_write'>();

/**
 * Records that this process opens a file, and returns its canonical path. Throws `DatabaseHeldError` if this process already has the file
 * open, unless both only read. DuckDB's lock on the file does not prevent that, because the lock belongs to the whole process.
 */
function claimFile(path: string, access: 'read_write' | 'read_only'): string {
  const file = canonicalPath(path);
  const held = openFiles.get(file);
  if (held === 'read_write' || (held !== undefined && access === 'read_write')) {
    throw new DatabaseHeldError(file, process.pid, 'this process');
  }
  openFiles.set(file, access === 'read_write' ? access : (held ?? 0) + 1);
  return file;
}

/** Records that a file is closed. `file` is the path that `claimFile` returned; other paths have no effect. */
function releaseFile(file: string): void {
  const held = openFiles.get(file);
  if (typeof held === 'number' && held > 1) openFiles.set(file, held - 1);
  else openFiles.delete(file);
}

/** The absolute path without symbolic links, so that each file has one name. The file does not need to exist. */
function canonicalPath(file: string): string {
  const path = resolve(file);
  try {
    return realpathSync(path);
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path));
    } catch {
      return path;
    }
  }
}

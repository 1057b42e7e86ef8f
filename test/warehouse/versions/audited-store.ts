import { createHash } from 'node:crypto';
import type { Database } from '../../../engine/index.js';
import { readMigrations, VERSIONS } from '../../../warehouse/schema/migrations.js';
import { TableFit } from '../../../warehouse/schema/table-fit.js';
import type { Store, Tables } from '../../../warehouse/store/store.js';

/** The changes of one transaction: the tables whose rows changed, and the tables whose version changed. */
export interface Step {
  readonly rows: readonly string[];
  readonly versions: readonly string[];
}

/** A store that compares the rows and versions of all tables before and after each transaction. */
export class AuditedStore implements Store {
  readonly batchEvents: number;
  readonly mergedIds: number;
  readonly #store: Store;
  readonly #read: () => Promise<Contents>;
  #last: Contents | undefined;
  #steps: Step[] = [];
  /** The queue of transactions, each with its comparison. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(store: Store, database: Database) {
    this.batchEvents = store.batchEvents;
    this.mergedIds = store.mergedIds;
    this.#store = store;
    this.#read = () => readContents(database);
  }

  /** Returns the steps since the last call. The last step contains the changes that were made outside of transactions. */
  async takeSteps(): Promise<Step[]> {
    await this.#compare();
    return this.#steps.splice(0);
  }

  write<T>(work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.define([], work);
  }

  define<T>(statements: readonly string[], work: (tables: Tables) => Promise<T>): Promise<T> {
    const result = this.#queue.then(async () => {
      this.#last ??= await this.#read();
      const value = await this.#store.define(statements, work);
      await this.#compare();
      return value;
    });
    this.#queue = result.catch(() => undefined);
    return result;
  }

  replaceTable: Store['replaceTable'] = (replacement) => this.#store.replaceTable(replacement);
  dropTable: Store['dropTable'] = (name, record) => this.#store.dropTable(name, record);

  useExactCollation(tables: readonly string[]): Promise<void> {
    return this.#store.useExactCollation(tables);
  }

  useStaging: Store['useStaging'] = (work) => this.#store.useStaging(work);
  runExclusively: Store['runExclusively'] = (work, wait, run) => this.#store.runExclusively(work, wait, run);
  claim: Store['claim'] = (work) => this.#store.claim(work);

  optimize(): Promise<void> {
    return this.#store.optimize();
  }

  async #compare(): Promise<void> {
    const before = this.#last;
    this.#last = await this.#read();
    if (before === undefined) return;
    const { rows, versions } = this.#last;
    this.#steps.push({ rows: differing(before.rows, rows), versions: differing(before.versions, versions) });
  }
}

interface Contents {
  /** A hash of all rows, by table name. */
  readonly rows: ReadonlyMap<string, string>;
  readonly versions: ReadonlyMap<string, string>;
}

/** Reads the rows and versions of all tables whose versions the program keeps, with its drivers. */
async function readContents(database: Database): Promise<Contents> {
  const select = async (sql: string) => {
    const { rows } = await database.query(database.prepare(sql), [], { maxRows: 1_000_000, timeoutMs: 60_000 });
    // JSON distinguishes NULL from an empty text.
    return rows.map((row) => JSON.stringify(row.map((cell) => (typeof cell === 'bigint' ? String(cell) : cell))));
  };
  const rows = new Map<string, string>();
  for (const table of await auditedTables()) {
    const lines = (await select(`SELECT * FROM ${table}`)).sort();
    rows.set(table, createHash('sha256').update(lines.join('\n')).digest('hex'));
  }
  const versions = await select('SELECT table_name, commit_number, token FROM data_versions');
  return { rows, versions: new Map(versions.map((line) => [String(JSON.parse(line)[0]), line])) };
}

/**
 * Returns all tables of the migrations, except those that are also written without a store. The calendar is omitted, because it has many
 * rows and is only written by the first migration.
 */
export function auditedTables(): Promise<readonly string[]> {
  audited ??= readTables();
  return audited;
}

let audited: Promise<readonly string[]> | undefined;

async function readTables(): Promise<string[]> {
  const statements = (await readMigrations()).flatMap((step) => step.statements);
  const { tables } = new TableFit([VERSIONS, ...statements]);
  return tables.filter((table) => !/^(sys_|explorer_|data_versions$|table_order$|calendar_days$)/.test(table));
}

function differing(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .sort();
}

import { hasRows } from '../../../engine/databases/duckdb/connection/read-rows.js';
import type { Tables } from '../../store/store.js';
import { type NamedKind, tablesOf } from '../staging/named-kind.js';

/** The temporary tables of the facts, one row per id in the events. */
export interface SourceTables {
  /** `id`: the repositories or accounts whose rows may change, including those into which facts were merged earlier. */
  readonly concerned: string;
  /** The rows of the table of sources, with their new `target_id`. */
  readonly known: string;
}

export function sourceTablesOf({ prefix }: NamedKind): SourceTables {
  return { concerned: `${prefix}_concerned`, known: `${prefix}_known_sources` };
}

/** Reads the stored facts of the ids in `some`, a SELECT on the staging database, and of the ids that `resolve` changed. */
export async function readSources(tables: Tables, kind: NamedKind, some: string): Promise<void> {
  const { key, table } = kind.sources;
  const { changed, sourceTargets } = tablesOf(kind);
  const { concerned, known } = sourceTablesOf(kind);
  const [own, ofTargets] = [`${kind.prefix}_own_sources`, `${kind.prefix}_target_sources`];
  const ids = `${some} UNION SELECT id FROM ${changed}`;
  const [any] = await tables.rows(`SELECT ${key} FROM ${table} LIMIT 1`);
  if (any === undefined) {
    const targets = `SELECT COALESCE(t.target_id, c.id) AS id FROM (${ids}) c(id) LEFT JOIN ${sourceTargets} t ON t.id = c.id`;
    await tables.staging.run(`
      CREATE OR REPLACE TEMP TABLE ${concerned} AS SELECT DISTINCT id FROM (${targets});
      CREATE OR REPLACE TEMP TABLE ${known} AS SELECT * FROM ${table} LIMIT 0`);
    return;
  }
  await tables.copy(table, key, ids, own);
  await tables.staging.run(`
    CREATE OR REPLACE TEMP TABLE ${concerned} AS
    SELECT COALESCE(t.target_id, s.target_id, c.id) AS id
    FROM (${ids}) c(id)
    LEFT JOIN ${sourceTargets} t ON t.id = c.id
    LEFT JOIN ${own} s ON s.${key} = c.id
    UNION
    SELECT target_id FROM ${own}`);
  await tables.copy(table, 'target_id', `SELECT id FROM ${concerned}`, ofTargets);
  await tables.staging.run(`
    CREATE OR REPLACE TEMP TABLE ${known} AS
    SELECT s.* REPLACE (COALESCE(t.target_id, s.target_id) AS target_id)
    FROM (SELECT * FROM ${own} UNION SELECT * FROM ${ofTargets}) s
    LEFT JOIN ${sourceTargets} t ON t.id = s.${key};
    DROP TABLE ${own}; DROP TABLE ${ofTargets}`);
}

/**
 * Writes the facts of the ids that need a row in the table of sources. `rows` is a SELECT of the new rows of all ids. A real id with events
 * or facts of a provisional id also gets a row, because these events and facts may later move to another id.
 */
export async function writeSources(tables: Tables, kind: NamedKind, rows: string): Promise<void> {
  const { staging } = tables;
  const { key, table } = kind.sources;
  const { concerned, known } = sourceTablesOf(kind);
  const { changed } = tablesOf(kind);
  const any = `SELECT id FROM ${changed} UNION ALL SELECT target_id FROM ${known} UNION ALL SELECT id FROM ${concerned} WHERE id < 0`;
  if (!(await hasRows(staging, `(${any})`))) return;
  const stored = `${kind.prefix}_merged_sources`;
  await staging.run(`
    CREATE OR REPLACE TEMP TABLE ${stored} AS
    SELECT * FROM (${rows})
    WHERE ${key} < 0 OR ${key} IN (SELECT ${key} FROM ${known} UNION SELECT id FROM ${changed})`);
  await tables.remove(table, key, `SELECT ${key} FROM ${known}`);
  await tables.append(table, `SELECT * FROM ${stored}`);
  await staging.run(`DROP TABLE ${stored}`);
}

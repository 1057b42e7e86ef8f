import type { Tables } from '../../store/store.js';
import { type NamedKind, tablesOf } from '../names/named-kind.js';

/** The temporary tables with the facts by the id in their events. */
export interface SourceTables {
  /** `id`: the repositories or accounts whose rows may change, also those that facts were merged into earlier. */
  readonly concerned: string;
  /** The rows of the table of sources, with their new `target_id`. */
  readonly known: string;
  /** All temporary tables. */
  readonly all: readonly string[];
}

export function sourceTablesOf({
  prefix,
}: NamedKind): SourceTables & { readonly own: string; readonly ofTargets: string } {
  const concerned = `${prefix}_concerned`;
  const known = `${prefix}_known_sources`;
  const own = `${prefix}_own_sources`;
  const ofTargets = `${prefix}_target_sources`;
  return { concerned, known, own, ofTargets, all: [concerned, known, own, ofTargets] };
}

/** Reads the stored facts of the ids in `gathered`, a table of the staging database, and of the ids that `resolve` changed. */
export async function readSources(tables: Tables, kind: NamedKind, gathered: string): Promise<SourceTables> {
  const { key, table } = kind.sources;
  const { changed, sourceTargets } = tablesOf(kind);
  const sources = sourceTablesOf(kind);
  const { concerned, known, own, ofTargets } = sources;
  const ids = `SELECT ${key} FROM ${gathered} UNION SELECT id FROM ${changed}`;
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
    LEFT JOIN ${sourceTargets} t ON t.id = s.${key}`);
  return sources;
}

/**
 * Writes the facts of the ids that need a row in the table of sources. `rows` is a SELECT of the new rows of all ids. A real id with
 * events or facts of a provisional id also gets a row, because these events and facts may later move to another one.
 */
export async function writeSources(tables: Tables, kind: NamedKind, rows: string): Promise<void> {
  const { key, table } = kind.sources;
  const { known } = sourceTablesOf(kind);
  const stored = `${kind.prefix}_merged_sources`;
  await tables.staging.run(`
    CREATE OR REPLACE TEMP TABLE ${stored} AS
    SELECT * FROM (${rows})
    WHERE ${key} < 0 OR ${key} IN (SELECT ${key} FROM ${known} UNION SELECT id FROM ${tablesOf(kind).changed})`);
  await tables.remove(table, key, `SELECT ${key} FROM ${known}`);
  await tables.append(table, `SELECT * FROM ${stored}`);
  await tables.staging.run(`DROP TABLE ${stored}`);
}

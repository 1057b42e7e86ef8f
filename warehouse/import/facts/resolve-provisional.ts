import { hasRows } from '../../../engine/databases/duckdb/connection/read-rows.js';
import type { Tables } from '../../store/store.js';
import { type NamedKind, tablesOf } from '../staging/named-kind.js';
import { provisionalIdSql } from '../staging/provisional-id.js';
import { STAGED_EVENTS } from '../staging/staging-table.js';

/**
 * Finds the real repositories or accounts for provisional ids, and writes them to the stored events. Resolves the staged events, the stored
 * events whose name was used by more ids or for a longer time than before, and the stored events of the provisional ids in `again`. Only
 * reads rows with names of the batch. Returns the name of a table with the columns `row_id` and `target_id` for the staged events.
 */
export async function resolve(tables: Tables, kind: NamedKind, again: readonly string[] = []): Promise<string> {
  const { staging } = tables;
  const { sources, uses } = kind;
  const sql = createStatements(kind, again);
  const { stagedTargets, ...temporary } = sql.names;
  const [any] = await tables.rows(`SELECT ${sources.key} FROM ${sources.table} WHERE ${sources.key} < 0 LIMIT 1`);
  await staging.run(sql.stagedProvisional);
  if (any === undefined && !(await hasRows(staging, sql.names.staged))) {
    await staging.run(`${sql.nothing}; DROP TABLE ${sql.names.staged}`);
    await tables.merge(uses, tablesOf(kind).uses);
    return stagedTargets;
  }
  await tables.copy(sources.table, sources.key, any ? sql.affectedIds : NO_IDS, sql.names.known);
  await tables.copy(uses.name, 'name', sql.nameList, sql.names.knownUses);
  await staging.run(sql.candidates);
  await staging.run(sql.changedProvisional);
  await tables.merge(uses, tablesOf(kind).uses);
  await staging.run(sql.stagedTargets);
  await tables.copy('github_events', kind.provisionalId, `SELECT id FROM ${sql.names.again}`, sql.names.stored);
  for (const statement of [sql.resolveStored, sql.moved, sql.resolveSources, sql.changed]) await staging.run(statement);
  await moveEvents(tables, kind);
  await staging.run(
    Object.values(temporary)
      .map((table) => `DROP TABLE ${table}`)
      .join('; '),
  );
  return stagedTargets;
}

/** Writes the new ids of stored events whose repository or account has changed. */
async function moveEvents(tables: Tables, kind: NamedKind): Promise<void> {
  const { storedTargets, moved } = tablesOf(kind);
  const runs = `${kind.prefix}_runs`;
  await tables.staging.run(`
    CREATE OR REPLACE TEMP TABLE ${runs} AS
    SELECT id, target_id, MIN(created_at) AS first_at, MAX(created_at) AS last_at
    FROM (
      SELECT *,
        ROW_NUMBER() OVER (PARTITION BY id ORDER BY created_at)
        - ROW_NUMBER() OVER (PARTITION BY id, target_id ORDER BY created_at) AS run
      FROM ${storedTargets}
      WHERE id IN (SELECT ${kind.provisionalId} FROM ${moved})
    )
    GROUP BY id, target_id, run`);
  await tables.assignIds({ column: kind.id, key: kind.provisionalId, runs });
  await tables.staging.run(`DROP TABLE ${runs}`);
}

const NO_IDS = 'SELECT NULL::BIGINT WHERE FALSE';

function createStatements(kind: NamedKind, again: readonly string[]) {
  const { prefix, id, provisionalId, name, useId, sources } = kind;
  const { uses, sourceTargets, storedTargets, moved, changed } = tablesOf(kind);
  const names = {
    staged: `${prefix}_staged_provisional`,
    known: `${prefix}_known_provisional`,
    knownUses: `${prefix}_known_uses`,
    candidates: `${prefix}_candidate_uses`,
    again: `${prefix}_resolved_again`,
    stored: `${prefix}_stored_events`,
    stagedTargets: `${prefix}_staged_targets`,
  };
  const againIds = `SELECT unnest([${again.join(', ')}]::BIGINT[]) AS id`;
  const nameList = `SELECT name FROM ${names.staged} UNION SELECT lower(${sources.name}) FROM ${names.known}`;
  const empty = (table: string, columns: string) =>
    `CREATE OR REPLACE TEMP TABLE ${table} AS SELECT ${columns} LIMIT 0`;
  const nearest = (rows: string, columns: string) => nearestUsesSql(rows, columns, names.candidates, useId);
  return {
    names,
    nameList,
    // Creates empty tables for an import without provisional ids. One call is much cheaper than one per table.
    nothing: [
      empty(names.stagedTargets, '0::BIGINT AS row_id, 0::BIGINT AS target_id'),
      empty(sourceTargets, '0::BIGINT AS id, 0::BIGINT AS target_id'),
      empty(storedTargets, '0::BIGINT AS id, NULL::TIMESTAMP AS created_at, 0::BIGINT AS target_id'),
      empty(moved, `*, ${id} AS old_id FROM github_events`),
      empty(changed, '0::BIGINT AS id'),
    ].join('; '),
    affectedIds: `
      SELECT ${provisionalIdSql('name')} FROM ${uses} UNION SELECT id FROM ${names.staged} UNION ${againIds}`,
    stagedProvisional: `
      CREATE OR REPLACE TEMP TABLE ${names.staged} AS
      SELECT row_id, ${id} AS id, lower(${name}) AS name, created_at FROM ${STAGED_EVENTS} WHERE ${id} < 0`,
    candidates: `
      CREATE OR REPLACE TEMP TABLE ${names.candidates} AS
      SELECT name, ${useId}, MIN(first_used_at) AS first_used_at, MAX(last_used_at) AS last_used_at
      FROM (SELECT * FROM ${uses} UNION ALL BY NAME SELECT * FROM ${names.knownUses})
      WHERE name IN (${nameList})
      GROUP BY name, ${useId}`,
    // If the time span of a name grows, the result only changes for events outside of the previous span.
    changedProvisional: `
      CREATE OR REPLACE TEMP TABLE ${names.again} AS
      SELECT DISTINCT p.${sources.key} AS id
      FROM ${names.known} p
      JOIN ${uses} t ON t.name = lower(p.${sources.name})
      LEFT JOIN ${names.knownUses} k ON k.name = t.name AND k.${useId} = t.${useId}
      WHERE k.${useId} IS NULL
        OR t.first_used_at < k.first_used_at
        OR (t.last_used_at > k.last_used_at AND p.${sources.newestAt} > k.last_used_at)
      UNION
      ${againIds}`,
    stagedTargets: `
      CREATE OR REPLACE TEMP TABLE ${names.stagedTargets} AS
      ${nearest(`FROM ${names.staged}`, 'row_id')}`,
    resolveStored: `
      CREATE OR REPLACE TEMP TABLE ${storedTargets} AS
      ${nearest(
        `SELECT ${provisionalId} AS id, lower(${name}) AS name, created_at FROM ${names.stored}`,
        'id, created_at',
      )}`,
    moved: `
      CREATE OR REPLACE TEMP TABLE ${moved} AS
      SELECT e.* REPLACE (t.target_id AS ${id}), e.${id} AS old_id
      FROM ${names.stored} e
      JOIN ${storedTargets} t ON t.id = e.${provisionalId} AND t.created_at = e.created_at
      WHERE e.${id} <> t.target_id`,
    // All facts of a provisional id, such as a description, go to the repository or account of its newest event.
    resolveSources: `
      CREATE OR REPLACE TEMP TABLE ${sourceTargets} AS
      WITH newest AS (
        SELECT id, any_value(name) AS name, MAX(created_at) AS created_at
        FROM (
          SELECT id, name, created_at FROM ${names.staged}
          UNION ALL
          SELECT ${sources.key}, lower(${sources.name}), ${sources.newestAt} FROM ${names.known}
        )
        WHERE id IN (SELECT id FROM ${names.staged} UNION SELECT id FROM ${names.again})
        GROUP BY id
      )
      SELECT n.id, COALESCE(t.target_id, n.id) AS target_id
      FROM newest n
      LEFT JOIN (${nearest('FROM newest', 'id')}) t USING (id)`,
    changed: `
      CREATE OR REPLACE TEMP TABLE ${changed} AS
      SELECT id FROM ${sourceTargets}
      UNION SELECT target_id FROM ${sourceTargets}
      UNION SELECT target_id FROM ${names.stagedTargets}
      UNION SELECT unnest([${id}, old_id]) FROM ${moved}`,
  };
}

/**
 * A SELECT on the staging database that finds the repository or account of a name at a time. `rows` is a SELECT with a `name` and a time
 * `created_at`. The result has `columns` of these rows and `target_id`: the id in `uses` that used the name at this time, or nearest to it.
 * If there are several, the largest id is taken. Rows whose name does not occur in `uses` are omitted.
 */
function nearestUsesSql(rows: string, columns: string, uses: string, useId: string): string {
  const distance = `
    CASE
      WHEN created_at < first_used_at THEN epoch_us(first_used_at) - epoch_us(created_at)
      WHEN created_at > last_used_at THEN epoch_us(created_at) - epoch_us(last_used_at)
      ELSE 0
    END`;
  return `
    SELECT ${columns}, arg_min(use_id, (${distance}, -use_id)) AS target_id
    FROM (${rows})
    JOIN (SELECT name, ${useId} AS use_id, first_used_at, last_used_at FROM ${uses}) USING (name)
    GROUP BY ${columns}`;
}

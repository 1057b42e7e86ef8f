import { markOutdated } from './derived/refresh-as-of.js';
import { mergeProvisional } from './import/merge-provisional.js';
import { type Migration, readMigrations, VERSIONS } from './schema/migrations.js';
import { rejectNewer } from './schema/schema.js';
import { TableFit } from './schema/table-fit.js';
import { CORRECTIONS, SEEDS } from './seeds.js';
import type { Store } from './store/store.js';

/**
 * Migrates the tables to the version of this program, under a lock. Returns the names of the executed steps. Throws `NewerSchemaError` and
 * `AlreadyRunningError`.
 */
export async function migrate(store: Store): Promise<string[]> {
  const steps = await readMigrations();
  return store.runExclusively('migration', WAIT_SECONDS, async () => {
    const rows = await store.define([VERSIONS], (tables) =>
      tables.rows('SELECT version FROM schema_versions ORDER BY version'),
    );
    const applied = rows.map(([version]) => Number(version));
    rejectNewer(applied, steps);
    const missing = steps.filter((step) => !applied.includes(step.version));
    if (missing.length > 0) await store.useExactCollation(tablesOf(steps));
    for (const { version, name, statements } of missing) {
      const correct = CORRECTIONS[version];
      if (correct !== undefined) {
        // The first statement runs here, and again below with the others. The other statements must only run once, because they fail in
        // DuckDB if the table exists.
        await store.define(statements.slice(0, 1), async () => undefined);
        await correct(store);
      }
      await store.define(statements, async (tables) => {
        await SEEDS[version]?.(tables);
        await tables.insertRows('schema_versions', [[version, name]]);
        if (version > REFRESHES_VERSION) await markOutdated(tables);
      });
    }
    await mergeProvisional(store);
    return missing.map((step) => step.name);
  });
}

function tablesOf(steps: readonly Migration[]): string[] {
  return new TableFit([VERSIONS, ...steps.flatMap(({ statements }) => statements)]).tables;
}

/** The migration that creates table_refreshes. */
const REFRESHES_VERSION = 10;

/** How long to wait for the migration of another process, which may have to create an index over many rows. */
const WAIT_SECONDS = 3600;

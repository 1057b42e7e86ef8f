import { mergeProvisional } from './import/merge-provisional.js';
import { type Migration, readMigrations, VERSIONS } from './schema/migrations.js';
import { rejectNewer } from './schema/schema.js';
import { TableFit } from './schema/table-fit.js';
import { CORRECTIONS, SEEDS } from './seeds.js';
import type { Store } from './store/store.js';

/**
 * Brings the tables to this program's version, step by step, one process at a time. Returns the names of the steps it
 * took. Throws `NewerSchemaError`.
 */
export async function migrate(store: Store): Promise<string[]> {
  const steps = await readMigrations();
  return store.runExclusively('migration', PATIENCE_SECONDS, async () => {
    const done = await store.define([VERSIONS], (tables) =>
      tables.rows('SELECT version FROM schema_versions ORDER BY version'),
    );
    const versions = done.map(([version]) => Number(version));
    rejectNewer(versions, steps);
    const missing = steps.filter((step) => !versions.includes(step.version));
    if (missing.length > 0) await store.useExactCollation(tablesOf(steps));
    for (const { version, name, statements } of missing) {
      const correct = CORRECTIONS[version];
      if (correct !== undefined) {
        // It is repeated with the others: DuckDB would not make their tables twice after an interruption.
        await store.define(statements.slice(0, 1), async () => undefined);
        await correct(store);
      }
      await store.define(statements, async (tables) => {
        await SEEDS[version]?.(tables);
        await tables.insertRows('schema_versions', [[version, name]]);
      });
    }
    await mergeProvisional(store);
    return missing.map((step) => step.name);
  });
}

function tablesOf(steps: readonly Migration[]): string[] {
  return new TableFit([VERSIONS, ...steps.flatMap(({ statements }) => statements)]).tables;
}

/** Another process may be filling an index over many rows. */
const PATIENCE_SECONDS = 3600;

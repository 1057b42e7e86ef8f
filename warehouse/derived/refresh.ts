import { isBotSql } from '../bots.js';
import { rewriteOrganizations } from '../organizations.js';
import type { Store, Tables } from '../store/store.js';
import type { MergedTable } from './derived-table.js';
import { refreshGaps } from './feed-gaps.js';
import { MERGED_TABLES, NAME_TABLES, RECOMPUTED_TABLES } from './tables.js';

/**
 * Brings the derived tables up to date after the rows that the workbench has in `events` were added to github_events. The gaps of the
 * feed depend on the ledger too: `refreshGaps` follows it.
 */
export async function refreshWith(tables: Tables, events: string): Promise<void> {
  const { bench } = tables;
  for (const table of MERGED_TABLES) {
    await bench.run(`CREATE OR REPLACE TEMP TABLE ${delta(table)} AS ${table.select(events)}`);
    await tables.merge(table, delta(table));
  }
  for (const table of RECOMPUTED_TABLES) {
    await tables.recompute(table, table.from.map((source) => `SELECT repo_id FROM ${delta(source)}`).join(' UNION '));
  }
  await bench.run(MERGED_TABLES.map((table) => `DROP TABLE ${delta(table)}`).join('; '));
}

/**
 * Computes every derived table anew from github_events, and who is a bot and which organisations people name from
 * the rules of this version. After any imports
 * by the same version it changes nothing.
 */
export function refreshFull(store: Store): Promise<void> {
  return store.write(async (tables) => {
    for (const { name, keys, measures, select } of MERGED_TABLES) {
      await tables.run(`DELETE FROM ${name}`);
      await tables.insert(name, [...keys, ...Object.keys(measures)], select('github_events'));
    }
    for (const { name, columns, select } of [...RECOMPUTED_TABLES, ...NAME_TABLES]) {
      await tables.run(`DELETE FROM ${name}`);
      await tables.insert(name, columns, select('TRUE'));
    }
    await tables.run(`UPDATE github_users SET is_bot = CASE WHEN ${isBotSql('login')} THEN 1 ELSE 0 END`);
    await rewriteOrganizations(tables);
    await refreshGaps(tables);
  });
}

function delta(table: MergedTable): string {
  return `delta_${table.name}`;
}

import { openWorlds, type WorldDatabase } from './world-database.js';
import type { World } from './world.js';

/** A kind of database on which all worlds are asked. */
export interface TestedDatabase {
  readonly name: string;
  open(worlds: readonly World[]): Promise<WorldDatabase>;
}

export const DATABASES: readonly TestedDatabase[] = [{ name: 'DuckDB', open: openWorlds }];

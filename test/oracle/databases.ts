import type { World } from './world.js';
import { openDemo, openWorlds, type WorldDatabase } from './world-database.js';

/** A kind of database on which all worlds are asked. */
export interface TestedDatabase {
  readonly name: string;
  openWorlds(worlds: readonly World[]): Promise<WorldDatabase>;
  openDemo(now: string): Promise<WorldDatabase>;
}

export const DATABASES: readonly TestedDatabase[] = [{ name: 'DuckDB', openWorlds, openDemo }];

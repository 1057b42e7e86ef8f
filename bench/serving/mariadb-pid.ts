import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseServer } from '../../test/services/server.js';

/** Returns the process id of a running private MariaDB. The process id changes with each restart. */
export function mariaDbPid({ folder }: DatabaseServer): number {
  return Number(readFileSync(join(folder, 'pid'), 'utf8'));
}

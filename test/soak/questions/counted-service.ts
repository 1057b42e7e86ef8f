import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Database } from '../../../engine/index.js';
import { openWarehouse } from '../../../server/databases/open-database.js';
import { startService } from '../../../server/service.js';
import { readSettings } from '../../../server/settings/read-settings.js';
import { copyDemo, NOW } from '../../service/demo-data.js';
import { JWT_SECRET } from '../../service/demo-service.js';

/** A service with a separate database file that records the queries of its playground. */
export interface CountedService {
  readonly url: string;
  /** The SQL texts that the playground has run, in order. */
  readonly executed: readonly string[];
  /** The log messages with the level error. */
  readonly errors: readonly string[];
  close(): Promise<void>;
}

export async function startCountedService(environment: Readonly<Record<string, string>>): Promise<CountedService> {
  const folder = await mkdtemp(join(tmpdir(), 'repo-insight-storm-'));
  const settings = readSettings({ DATA_DIR: folder, PORT: '0', NOW, JWT_SECRET, ...environment });
  await copyDemo(settings, { events: 1_000 });
  const warehouse = await openWarehouse(settings, { migrating: true });
  const executed: string[] = [];
  const errors: string[] = [];
  const counted = {
    ...warehouse,
    openPlayground: async () => countQueries(await warehouse.openPlayground(), executed),
  };
  const logger = pino({ level: 'error' }, { write: (line: string) => errors.push(line) });
  const service = await startService(settings, counted, logger);
  return {
    url: service.url,
    executed,
    errors,
    close: async () => {
      await service.close();
      await warehouse.close();
      await rm(folder, { recursive: true });
    },
  };
}

function countQueries(database: Database, executed: string[]): Database {
  return {
    name: database.name,
    concurrency: database.concurrency,
    prepare: (sql) => database.prepare(sql),
    query: (query, values, options) => {
      executed.push(query.sql);
      return database.query(query, values, options);
    },
    explain: (query, values, options) => database.explain(query, values, options),
    ping: (timeoutMs) => database.ping(timeoutMs),
    close: () => database.close(),
  };
}

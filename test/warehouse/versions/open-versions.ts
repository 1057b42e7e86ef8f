import { openEmbedded } from '../../../engine/databases/duckdb/embedded.js';
import { openMysql } from '../../../engine/databases/mysql/database.js';
import {
  type Answer,
  createEngine,
  type Database,
  type DataVersions,
  type Endpoint,
  type Engine,
  PATIENT_METADATA_TIMEOUT_MS,
} from '../../../engine/index.js';
import { EmbeddedStore } from '../../../warehouse/store/embedded-store.js';
import { MysqlStore } from '../../../warehouse/store/mysql-store.js';
import type { Store } from '../../../warehouse/store/store.js';
import { PolledVersions, type PolledVersionsOptions } from '../../../warehouse/versions/polled-versions.js';
import { readVersions } from '../../../warehouse/versions/version-table.js';
import { limits, testFile } from '../test-store.js';
import type { TestWarehouse } from '../test-warehouse.js';

export interface OpenVersions {
  readonly database: Database;
  readonly store: Store;
  readonly versions: DataVersions;
  /** The messages for the operator. */
  readonly notices: readonly string[];
  close(): Promise<void>;
}

/** Opens the database of a warehouse with several read connections and its versions. The database must not be open yet. */
export async function openVersions({ folder, url }: Pick<TestWarehouse, 'folder' | 'url'>): Promise<OpenVersions> {
  const notices: string[] = [];
  const onNotice = (notice: string) => void notices.push(notice);
  if (url === undefined) {
    const database = await openEmbedded({ ...limits(folder), file: testFile(folder), readers: READERS });
    const store = new EmbeddedStore(database, onNotice);
    await store.versions.confirm();
    return { database, store, versions: store.versions, notices, close: () => database.close() };
  }
  const database = await openMysql({ url, allowWritingAccount: true, connections: READERS });
  const versions = openPolled(database, { pollMs: 50, onNotice });
  const store = new MysqlStore({ ...limits(folder), url, onCommit: () => versions.expectChange() });
  const close = async () => {
    versions.close();
    await Promise.all([database.close(), store.close()]);
  };
  return { database, store, versions, notices, close };
}

const READERS = 3;

/** Polls the versions in the table of a database. */
export function openPolled(database: Database, options: Omit<PolledVersionsOptions, 'read'>): PolledVersions {
  return new PolledVersions({ ...options, read: (timeoutMs) => readVersions(database, timeoutMs) });
}

/** Creates an engine for one endpoint, which knows the versions of the tables. */
export function engineOf(
  { database, versions }: Pick<OpenVersions, 'database' | 'versions'>,
  endpoint: Endpoint,
): Engine {
  const metadataTimeoutMs = PATIENT_METADATA_TIMEOUT_MS;
  return createEngine({ endpoints: [endpoint], database, stopwatch: () => 0, metadataTimeoutMs, versions });
}

/** Requests an endpoint repeatedly with several readers until the work has ended, and once after it. Returns all answers. */
export async function answersDuring(
  engine: Engine,
  endpoint: Endpoint,
  readers: number,
  work: () => Promise<void>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const ask = async () => void answers.push(await engine.run(endpoint, { path: {}, query: {} }));
  let isWorking = true;
  const read = async () => {
    while (isWorking) await ask();
  };
  const reading = Promise.all(Array.from({ length: readers }, read));
  await work().finally(() => {
    isWorking = false;
  });
  await reading;
  await ask();
  return answers;
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useMysql } from '../services/mysql.js';
import { fillFile, fillServer, type SampleSchema } from './sample-schema.js';

/** A DuckDB file and a database of a server with the same rows, for one suite. The properties must only be read in tests and hooks. */
export interface SampleDatabases {
  /** An empty folder for the suite, which also contains the file. */
  readonly folder: string;
  readonly file: string;
  /** The URL of the database on the server. */
  readonly url: string;
}

export function useSampleDatabases(schema: SampleSchema, size: number): SampleDatabases {
  const server = useMysql();
  let folder = '';
  const fileOf = () => join(folder, `${schema.name}.duckdb`);
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-schema-'));
    await fillServer(server.url, schema, size);
    await fillFile(fileOf(), schema, size);
  });
  after(async () => {
    if (folder !== '') await rm(folder, { recursive: true });
  });
  return {
    get folder() {
      return folder;
    },
    get file() {
      return fileOf();
    },
    get url() {
      return server.url;
    },
  };
}

/**
 * Reads files only with DuckDB, without the import, into a table with the typed columns that an import reads. The arguments are the
 * database file and the files to read. Prints CPU seconds and peak memory as JSON.
 */
import { DuckDBInstance } from '@duckdb/node-api';
import { readEventsSql } from '../../warehouse/import/files/event-columns.js';
import { reportUsage } from './report.js';

const [database = '', ...files] = process.argv.slice(2);
const instance = await DuckDBInstance.create(database, { threads: '2', memory_limit: '2GB' });
const connection = await instance.connect();
await reportUsage(async () => {
  await connection.run(`CREATE TABLE events AS SELECT * FROM ${readEventsSql(files)}`);
  await connection.run('CHECKPOINT');
});
instance.closeSync();

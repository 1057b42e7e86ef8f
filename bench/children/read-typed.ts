/**
 * The embedded database alone: reads the files into a table of the typed columns that an import reads. Arguments are the
 * database's file and the files to read; prints its seconds and peak memory as JSON.
 */
import { DuckDBInstance } from '@duckdb/node-api';
import { readEventsSql } from '../../warehouse/import/files/event-columns.js';
import { reportTo } from './report.js';

const [database = '', ...files] = process.argv.slice(2);
const instance = await DuckDBInstance.create(database, { threads: '2', memory_limit: '2GB' });
const connection = await instance.connect();
await reportTo(async () => {
  await connection.run(`CREATE TABLE events AS SELECT * FROM ${readEventsSql(files)}`);
  await connection.run('CHECKPOINT');
});
instance.closeSync();

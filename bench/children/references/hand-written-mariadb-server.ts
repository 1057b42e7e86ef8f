/**
 * A reference server with hand-written SQL on MariaDB: the pool and the prepared statements of mysql2, with as many connections as the
 * service. The argument is the URL of the database.
 */
import { createPool } from 'mysql2/promise';
import { DEFAULT_CONNECTIONS } from '../../../server/settings/database-location.js';
import { handWrittenSql, serveQueries } from './hand-written-queries.js';

const [url = ''] = process.argv.slice(2);
const connectionLimit = DEFAULT_CONNECTIONS.server;
const pool = createPool({ uri: url, connectionLimit, charset: 'UTF8MB4_BIN', dateStrings: true });
const queries = handWrittenSql('mariadb');

serveQueries(async (name, values) => {
  const [rows] = await pool.execute(queries.get(name) ?? '', values);
  return rows;
});

/**
 * A minimal server on a MySQL database, as a reference. This server only uses the pool and the prepared statements of mysql2,
 * JSON.stringify and node:http, with as many connections as the service. The arguments are settings.
 */
import { createPool, type RowDataPacket } from 'mysql2';
import { toPositional } from '../../engine/databases/mysql/connection/select.js';
import { sessionStatements } from '../../engine/databases/mysql/connection/session.js';
import { bind } from '../../engine/databases/mysql/connection/values.js';
import { DEFAULT_CONNECTIONS } from '../../server/settings/database-location.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { exampleQueries, serveRows } from './bare-answers.js';
import { variablesOf } from './variables.js';

const settings = readSettings(variablesOf(process.argv.slice(2)));
const pool = createPool({
  uri: settings.databaseUrl ?? '',
  connectionLimit: settings.databaseConnections ?? DEFAULT_CONNECTIONS.server,
  charset: 'UTF8MB4_BIN',
});
pool.on('connection', (connection) => {
  for (const statement of sessionStatements('mariadb', 'read')) connection.query(statement);
});
const queries = new Map(
  [...(await exampleQueries(settings))].map(([path, { sql, values }]) => {
    const { sql: text, parameters } = bind(toPositional(sql), values, 'mariadb');
    return [path, { text, values: parameters }];
  }),
);

serveRows(
  (path) =>
    new Promise((resolve, reject) => {
      const query = queries.get(path);
      if (query === undefined) throw new Error(`no query ${path}`);
      pool.execute<RowDataPacket[]>(query.text, query.values, (error, rows) => {
        if (error === null) resolve(rows);
        else reject(error);
      });
    }),
);

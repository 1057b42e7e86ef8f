import { expect } from 'chai';
import { findUnknownTimeZones } from '../../../engine/authoring/index.js';
import { openMysql } from '../../../engine/databases/mysql/database.js';
import { formatWarning } from '../../../engine/index.js';
import { useMysql } from '../../services/mysql.js';
import { SERVER } from '../../services/server.js';
import { definitionOf, endpointOf } from '../fixtures.js';

describe(`time zones that ${SERVER} does not know`, () => {
  const server = useMysql();
  const SQL = `SELECT id FROM (SELECT 1 AS id, CONVERT_TZ({{ now }}, 'Europe/Atlantis', '+02:00') AS at) x
ORDER BY id`;

  async function warningsOf(sql: string, more = ''): Promise<string[]> {
    const database = await openMysql({ url: server.url, connections: 1, allowWritingAccount: true });
    const endpoint = await endpointOf(definitionOf(sql, '', more));
    const warnings = await findUnknownTimeZones(endpoint, database);
    await database.close();
    return warnings.map((warning) => formatWarning(warning).replace(`${endpoint.file}:`, ''));
  }

  it('are named with their place', async () => {
    expect(await warningsOf(SQL)).to.deep.equal([
      '6:58 sql: The database does not know the time zone Europe/Atlantis, so CONVERT_TZ returns NULL ' +
        "(got SELECT id FROM (SELECT 1 AS id, CONVERT_TZ({{ now }}, 'Europe/Atlantis', '+02:00') AS at) x). " +
        "Load the time zone tables of the server with mysql_tzinfo_to_sql, or write an offset such as '+02:00' [unknown-time-zone]",
    ]);
  });

  it('are not reported for offsets, and if the definition silences the rule', async () => {
    expect(await warningsOf(SQL.replace('Europe/Atlantis', '-05:00'))).to.deep.equal([]);
    expect(await warningsOf(SQL, 'lint: { unknown-time-zone: The column is not used. }')).to.deep.equal([]);
  });
});

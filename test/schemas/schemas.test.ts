import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { compareEndpoint } from '../../engine/authoring/index.js';
import { openEmbedded } from '../../engine/databases/duckdb/embedded.js';
import { openMysql } from '../../engine/databases/mysql/database.js';
import { createEngine, type Database, type Endpoint, PATIENT_METADATA_TIMEOUT_MS } from '../../engine/index.js';
import { useMysql } from '../services/mysql.js';
import { SERVER } from '../services/server.js';
import { ColumnInference, endpointOf, readCompact } from './sample-endpoints.js';
import { fillFile, fillServer } from './sample-schema.js';
import { LIBRARY } from './library.js';
import { PAYROLL } from './payroll.js';
import { SENSORS } from './sensors.js';
import { SHOP } from './shop.js';

for (const schema of [SHOP, LIBRARY, SENSORS, PAYROLL].filter(({ name }) => !process.env.ONLY || process.env.ONLY === name)) {
  describe(`definitions of a ${schema.name}, on DuckDB and ${SERVER}`, () => {
    const server = useMysql();
    let folder: string;
    const databases: Database[] = [];
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'repo-insight-schema-'));
      const file = join(folder, 'sample.duckdb');
      await fillServer(server.url, schema, 1);
      await fillFile(file, schema, 1);
      databases.push(
        await openEmbedded({ file, access: 'read_only', memoryLimit: '512MB', threads: 1, readers: 2 }),
        await openMysql({ url: server.url, connections: 2, allowWritingAccount: true }),
      );
    });
    after(async () => {
      await Promise.all(databases.map((database) => database.close()));
      await rm(folder, { recursive: true });
    });

    for (const compact of readCompact(schema.name)) {
      it(`${compact.name}`, async () => {
        const [one, other] = databases as [Database, Database];
        const columns = [await (await ColumnInference.of(one)).columnsOf(compact), await (await ColumnInference.of(other)).columnsOf(compact)];
        const text = columns.map((cs) => cs.map((c) => `${c.col} ${c.data_type} ${c.scale ?? ''} ${c.nullable}`));
        if (String(text[0]) !== String(text[1])) console.log(compact.name, text[0]?.flatMap((t, i) => t === text[1]?.[i] ? [] : [`${t} | ${text[1]?.[i]}`]));
        const endpoint: Endpoint = await endpointOf(compact, columns[1] ?? []);
        const engineOn = (database: Database) =>
          createEngine({ endpoints: [endpoint], database, clock: () => new Date('2026-01-15T10:30:00Z'), stopwatch: () => 0, metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS });
        const comparison = await compareEndpoint(engineOn(one), engineOn(other), compact.name);
        expect(comparison.differences).to.deep.equal([]);
        expect(comparison.rows).to.be.greaterThan(0);
      });
    }
  });
}

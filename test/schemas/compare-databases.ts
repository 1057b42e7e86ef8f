import { expect } from 'chai';
import { compareEndpoint } from '../../engine/authoring/index.js';
import { openEmbedded } from '../../engine/databases/duckdb/embedded.js';
import { openMysql } from '../../engine/databases/mysql/database.js';
import {
  createEngine,
  type Database,
  type Endpoint,
  type Engine,
  PATIENT_METADATA_TIMEOUT_MS,
} from '../../engine/index.js';
import { useSampleDatabases } from './sample-databases.js';
import { DatabaseAuthor, draftOf, endpointOf, endpointOfText, formOf, readCompact } from './sample-endpoints.js';
import type { SampleSchema } from './sample-schema.js';

/** Of the small tables, every definition at such a distance is also proposed. */
const PROPOSED = 5;
const NOW = new Date('2026-01-15T10:30:00Z');

/** Defines the tests that compare all definitions of a schema on a DuckDB file and on a server. */
export function compareDatabases(schema: SampleSchema, size: number): void {
  const sample = useSampleDatabases(schema, size);
  let databases: readonly [file: Database, server: Database];
  let authors: readonly [file: DatabaseAuthor, server: DatabaseAuthor];

  before(async () => {
    databases = [
      await openEmbedded({ file: sample.file, access: 'read_only', memoryLimit: '512MB', threads: 1, readers: 1 }),
      await openMysql({ url: sample.url, connections: 1, allowWritingAccount: true }),
    ];
    authors = [await DatabaseAuthor.of(databases[0]), await DatabaseAuthor.of(databases[1])];
  });
  after(async () => {
    for (const database of databases ?? []) await database.close();
  });

  const compare = async (endpoint: Endpoint) => {
    const [one, other] = databases.map((database) =>
      createEngine({
        ...{ endpoints: [endpoint], database, clock: () => NOW, stopwatch: () => 0 },
        metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
      }),
    ) as [Engine, Engine];
    const { differences, rows } = await compareEndpoint(one, other, endpoint.definition.name);
    // Some queries find gaps in the data, which the large tables do not have.
    expect([differences, size > 1 || rows > 0]).to.deep.equal([[], true]);
  };

  for (const [index, compact] of readCompact(schema.name).entries()) {
    it(`answer ${compact.name}`, async () => {
      const draft = await draftOf(compact);
      const [columns, proposed] = [await authors[0].columnsOf(draft), await authors[1].columnsOf(draft)];
      const forms = (all: typeof columns) => all.map((column) => `${column.col}: ${formOf(column)}`);
      expect(forms(columns)).to.deep.equal(forms(proposed));
      await compare(await endpointOf(compact, proposed));
    });

    const isProposed = size > 1 || index % PROPOSED === 0;
    if (compact.sql.includes('{') || !isProposed) continue;
    it(`propose equal definitions for ${compact.name}`, async () => {
      const [one, other] = [await authors[0].propose(compact), await authors[1].propose(compact)];
      // Only a server knows the maximum length of a text.
      const keysOf = ({ definition: { columns: _columns, ...keys } }: typeof one) =>
        JSON.stringify(keys).replaceAll(/"maxLength":\d+/g, '');
      expect(keysOf(one)).to.equal(keysOf(other));
      // The proposed definition has the SQL that was compared before, with bound values.
      const limits = { ...(other.definition.limits as object), timeout: '10m' };
      if (size > 1) await compare(await endpointOfText(compact.name, JSON.stringify({ ...other.definition, limits })));
    });
  }
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openMysql } from '../../engine/databases/mysql/database.js';
import { listening, run, startHere, stopAll } from '../cli/command-line.js';
import { connectHttp } from '../mcp/mcp-client.js';
import { useSampleDatabases } from './sample-databases.js';
import { DatabaseAuthor, draftOf, readCompact, textOf } from './sample-endpoints.js';
import type { SampleSchema } from './sample-schema.js';

/**
 * Defines the tests of an API in a folder, whose definitions the program makes from all tables of a schema, on both databases. With
 * `withDefinitions`, the folder also contains the definitions of the schema.
 */
export function testApiFolder(schema: SampleSchema, { withDefinitions = false } = {}): void {
  const sample = useSampleDatabases(schema, 1);
  const kinds = ['duckdb', 'server'] as const;
  const services = new Map<string, { readonly url: string; readonly service: ReturnType<typeof startHere> }>();
  const tables = schema.tables.map(({ name }) => name);
  const environment = {
    DATABASE_ALLOW_WRITING_ACCOUNT: 'yes',
    NOW: '2026-01-15T10:30:00Z',
    PORT: '0',
    LOG_LEVEL: 'silent',
  };
  const commandIn = (cwd: string) => async (words: readonly string[]) => {
    const { code, out, err } = await run(words, { cwd, environment });
    expect(code, `${words.join(' ')}: ${out}${err}`).to.equal(0);
    return out;
  };

  before(async () => {
    for (const kind of kinds) {
      const url = kind === 'duckdb' ? `duckdb:${sample.file}` : sample.url;
      const [first = '', ...others] = tables;
      await commandIn(sample.folder)(['init', kind, '--database-url', url, '--table', first]);
      const command = commandIn(`${sample.folder}/${kind}`);
      const listed = JSON.parse(await command(['tables', '--json'])) as { name: string }[];
      expect(listed.map(({ name }) => name).sort()).to.deep.equal([...tables].sort());
      for (const table of others) await command(['endpoint', 'new', '--table', table]);
      if (withDefinitions) await writeDefinitions(schema, sample.url, `${sample.folder}/${kind}/endpoints`);
      await command(['endpoint', 'test', '--all']);
      const service = startHere(['serve'], { cwd: `${sample.folder}/${kind}`, environment });
      services.set(kind, { service, url: await listening(service) });
    }
  });
  after(async () => {
    stopAll();
    for (const { service } of services.values()) await service.ended;
  });

  const onBoth = async (read: (url: string) => Promise<unknown>) => {
    const [one, other] = [await read(services.get('duckdb')?.url ?? ''), await read(services.get('server')?.url ?? '')];
    expect(one).to.deep.equal(other);
    return one;
  };

  for (const { name, columns } of schema.tables) {
    const endpoint = name.replaceAll('_', '-');
    // In native JSON, a BIT is text, but the file has integers instead.
    const bits = Object.keys(columns).filter((column) => columns[column]?.startsWith('BIT'));
    const asText = (rows: readonly Record<string, unknown>[]) =>
      rows.map((row) => ({
        ...row,
        ...Object.fromEntries(bits.map((bit) => [bit, row[bit] === null ? null : String(row[bit])])),
      }));

    it(`returns equal rows of ${name} in every format`, async () => {
      const json = async (path: string) => {
        const response = await fetch(path);
        expect(response.status, path).to.equal(200);
        return (await response.json()) as { data: unknown };
      };
      const page = 'page_size=100';
      const rows = await onBoth(async (url) => {
        const { data } = await json(`${url}/v1/${endpoint}/?${page}`);
        return (data as { rows: object[] }).rows;
      });
      expect(rows).to.be.an('array').that.is.not.empty;
      await onBoth(async (url) => (await fetch(`${url}/q/${endpoint}.csv?${page}`)).text());
      const native = await onBoth(async (url) =>
        asText((await json(`${url}/q/${endpoint}?${page}`)).data as Record<string, unknown>[]),
      );
      const lines = await onBoth(async (url) => {
        const text = await (await fetch(`${url}/q/${endpoint}.ndjson?${page}`)).text();
        return asText(
          text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line)),
        );
      });
      const called = await onBoth(async (url) => {
        const client = await connectHttp({ service: { url } });
        const { structuredContent } = await client.callTool({ name: endpoint, arguments: { page_size: 100 } });
        await client.close();
        return asText((structuredContent as { rows: Record<string, unknown>[] }).rows);
      });
      expect([lines, called]).to.deep.equal([native, native]);
    });
  }
}

/** Writes all definitions of the schema, with the columns that the server describes. */
async function writeDefinitions(schema: SampleSchema, url: string, folder: string): Promise<void> {
  const database = await openMysql({ url, connections: 1, allowWritingAccount: true });
  try {
    const author = await DatabaseAuthor.of(database);
    for (const compact of readCompact(schema.name)) {
      const columns = await author.columnsOf(await draftOf(compact));
      await writeFile(join(folder, `all-${compact.name}.json`), textOf(compact, columns));
    }
  } finally {
    await database.close();
  }
}

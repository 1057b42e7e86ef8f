import type { Client, Tool } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import type { NamedQueryEnvelope } from '../../engine/http/envelopes/query-envelope.js';
import { createParameterSchema, type Endpoint, rawFromValues } from '../../engine/index.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { useSharedDemo, waitForPlayground } from '../service/demo-service.js';
import { addressOf } from '../service/example-request.js';
import { call, connectHttp, connectStdio, VERSIONS } from './mcp-client.js';

describe('the tools of the Model Context Protocol', () => {
  const shared = useSharedDemo();
  let endpoints: readonly Endpoint[];
  before(async () => {
    await waitForPlayground(shared.demo);
    endpoints = await loadDefinitions({ endpointsDirectory: undefined });
  });

  // The suite of the command `mcp` tests the older version over standard input.
  for (const [transport, versions] of [
    ['HTTP', VERSIONS],
    ['standard input', ['2026-07-28']],
  ] as const) {
    for (const version of versions) {
      const connect = () =>
        transport === 'HTTP'
          ? connectHttp(shared.demo, version)
          : connectStdio({}, version, ['--url', `${shared.demo.service.url}/mcp`]);
      it(`are one per definition, one for SQL and one for questions, over ${transport} (${version})`, async () => {
        const client = await connect();
        try {
          expect(client.getNegotiatedProtocolVersion()).to.equal(version);
          // A list without pages, and a list with pages.
          for (const name of ['list-collections', 'list-issue-creators']) {
            await compareExamples(client, endpoints.find(({ definition }) => definition.name === name) as Endpoint);
          }
          const { tools } = await client.listTools();
          const names = endpoints.map(({ definition }) => definition.name);
          expect(tools.map(({ name }) => name)).to.have.members([...names, 'run_sql', 'ask_question']);
        } finally {
          await client.close();
        }
      });
    }
  }

  it('state the parameters exactly as requests are validated, and are read-only', async () => {
    const client = await connectHttp(shared.demo);
    const { tools } = await client.listTools();
    await client.close();
    for (const endpoint of endpoints) {
      const { name, summary } = endpoint.definition;
      const tool = tools.find((one) => one.name === name) as Tool;
      const properties = (tool.inputSchema.properties ?? {}) as Record<string, Record<string, unknown>>;
      const schemas = Object.entries(properties).map(([key, { description, examples, default: _, ...schema }]) => [
        key,
        schema,
      ]);
      const expected = Object.entries(endpoint.parameters).map(([key, it]) => [key, createParameterSchema(it)]);
      expect(Object.fromEntries(schemas), name).to.deep.equal(Object.fromEntries(expected));
      const defaults = Object.entries(properties).filter(([, schema]) => 'default' in schema);
      const expectedDefaults = Object.entries(endpoint.parameters).filter(([, it]) => it.default !== undefined);
      expect(defaults.map(([key, schema]) => [key, schema.default])).to.have.deep.members(
        expectedDefaults.map(([key, it]) => [key, it.default]),
      );
      const required = Object.entries(endpoint.parameters).filter(([, it]) => it.in === 'path' || it.required);
      expect(tool.inputSchema.required).to.have.members(required.map(([key]) => key));
      expect(tool.inputSchema.additionalProperties).to.equal(false);
      expect(tool.annotations).to.deep.equal({
        title: summary,
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    }
  });

  it('describe the limits and the freshness of a definition', async () => {
    const client = await connectHttp(shared.demo);
    const { tools } = await client.listTools();
    await client.close();
    const textOf = (name: string) => tools.find((one) => one.name === name)?.description ?? '';
    expect(textOf('list-issue-creators')).to.include('One page has 30 rows by default and at most 100; `next_page`');
    expect(textOf('list-trending-repos')).to.match(
      /The query returns at most 100 rows\. .*A query may take 10 s\..*computed in advance; `stale` is also true if that is more than 3 h ago\.$/s,
    );
  });

  it('answer every example of every definition like /q', async () => {
    const client = await connectHttp(shared.demo);
    for (const endpoint of endpoints) await compareExamples(client, endpoint);
    await client.close();
  });

  /** Compares the result of a tool with the answer of `/q`, for each example of the definition. */
  async function compareExamples(client: Client, endpoint: Endpoint): Promise<void> {
    const { demo } = shared;
    const [owner = '', repo = ''] = demo.repository.split('/');
    const { name, examples } = endpoint.definition;
    for (const { params } of examples) {
      // The repository in the examples is not in these smaller data, so it is replaced.
      const given = { ...params, ...('repo' in params && { owner, repo }) };
      const raw = rawFromValues(endpoint.parameters, given);
      const path = addressOf(`/q/${name}`, {}, { ...raw.query, ...raw.path });
      const body = (await (await demo.get(path)).json()) as NamedQueryEnvelope;
      const { isError, content, text } = await call(client, name, given);
      const label = `${name} ${JSON.stringify(given)}: ${text.slice(0, 200)}`;
      expect(isError, label).to.equal(false);
      const { next_page: _, ...facts } = content;
      const kept = Number(facts.row_count);
      const isWhole = kept === body.data.length;
      const notices = kept < body.data.length ? (facts.notices as string[]).slice(0, -1) : facts.notices;
      expect({ ...facts, notices }, label).to.deep.equal({
        columns: endpoint.definition.columns.map(({ col, data_type, label, unit, format, null_as: nullAs }) => ({
          name: col,
          type: data_type,
          ...(label !== undefined && { label }),
          ...(unit !== undefined && { unit }),
          ...(format !== undefined && { format }),
          ...(nullAs !== undefined && { nullAs }),
        })),
        rows: body.data.slice(0, kept),
        row_count: kept,
        truncated: body.truncated || kept < body.data.length,
        notices: body.notices,
        data_as_of: body.dataAsOf,
        stale: body.stale,
        parameters: body.params,
        ...(body.nextCursor !== undefined && { next_cursor: isWhole ? body.nextCursor : null }),
        ...(body.total !== undefined && { total: body.total }),
        ...(body.sources !== undefined && { sources: body.sources }),
      });
    }
  }

  it('give the same rows as text for clients without structured content', async () => {
    const client = await connectHttp(shared.demo);
    const { text, content } = await call(client, 'list-collections');
    await client.close();
    const rows = content.rows as { id: number; name: string }[];
    expect(text.split('\n')).to.deep.equal([
      `${rows.length} rows; data as of ${content.data_as_of}${content.stale ? ' (stale)' : ''}.`,
      'id,name',
      ...rows.map(({ id, name }) => `${id},${name}`),
    ]);
  });

  it('run the SQL of the caller with the checks of the playground', async () => {
    const client = await connectHttp(shared.demo);
    const { content, text } = await call(client, 'run_sql', {
      sql: "SELECT 1 AS one, NULL AS two, '' AS three, 'a\"b,c' AS four",
    });
    const rejected = await call(client, 'run_sql', { sql: 'SELECT login\nFROM users' });
    await client.close();
    expect(content).to.deep.include({
      rows: [{ one: 1, two: null, three: '', four: 'a"b,c' }],
      row_count: 1,
      truncated: false,
      data_as_of: null,
      stale: true,
    });
    expect(text.split('\n').slice(-2)).to.deep.equal(['one,two,three,four', '1,,"","a""b,c"']);
    expect([rejected.isError, rejected.error?.code, rejected.error?.message]).to.deep.equal([
      true,
      'sql_refused',
      'line 2, column 6: there is no public table users',
    ]);
  });
});

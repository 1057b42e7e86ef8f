import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { type DemoService, startDemoService } from '../service/demo-service.js';
import { call, connectHttp } from './mcp-client.js';

const NUMBERS = `(
    SELECT ROW_NUMBER() OVER (ORDER BY created_at, repo_id, actor_id, type) AS n FROM github_events LIMIT 600
  )`;

/** A definition with more rows than a result may have. */
const MANY = `name: many-rows
summary: Many rows
deprecated: 2026-01-31
sunset: 2026-12-31
params:
  most: { in: query, type: integer, minimum: 1, maximum: 600, default: 600, description: Rows }
  tags: { in: query, type: array, items: { type: string }, maxItems: 5, description: Tags }
  label: { in: query, type: string, maxLength: 5, description: Label }
columns:
  - { col: n, data_type: BIGINT, nullable: false, description: Number }
  - { col: label, data_type: VARCHAR, nullable: true, description: Label }
sql: |
  SELECT n, {{ label }} AS label FROM ${NUMBERS} numbers
  WHERE n <= {{ most }} {% if tags %}AND 'x' IN ({{ tags }}){% endif %}
  ORDER BY n
limits: { rows: 500 }
`;

/** A paged definition whose rows are too long for a result. */
const LONG = `name: long-rows
summary: Long rows
params:
  length: { in: query, type: integer, minimum: 1, maximum: 60000, default: 1000, description: Characters }
pagination: { default: 100, max: 100 }
columns:
  - { col: text, data_type: VARCHAR, nullable: false, description: Text }
sql: |
  SELECT REPEAT('x', {{ length }}) AS text FROM ${NUMBERS} numbers ORDER BY n
`;

const BROKEN = `name: broken-rows
summary: Broken rows
columns:
  - { col: n, data_type: BIGINT, nullable: false, description: Number }
sql: SELECT n FROM no_such_table
`;

describe('the results of tools', () => {
  let folder: string;
  let demo: DemoService;
  let client: Client;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-endpoints-'));
    for (const [index, text] of [MANY, LONG, BROKEN].entries()) {
      await writeFile(join(folder, `definition-${index}.yaml`), text);
    }
    await writeFile(join(folder, 'invalid.yaml'), MANY.replace('many-rows', 'invalid-rows').replace('n <= ', 'm <=< '));
    demo = await startDemoService({ ENDPOINTS_DIR: folder });
    client = await connectHttp(demo);
  });
  after(async () => {
    await client?.close();
    await demo?.close();
    await rm(folder, { recursive: true });
  });

  it('have at most 200 rows, and say so', async () => {
    const { content, text } = await call(client, 'many-rows', { most: 400 });
    expect((content.rows as { n: number }[]).map(({ n }) => n)).to.deep.equal(
      Array.from({ length: 200 }, (_, n) => n + 1),
    );
    expect([content.row_count, content.truncated, content.notices, content.stale]).to.deep.equal([
      200,
      true,
      [
        'Only the first 200 of 400 rows are part of this result, because a result has at most 200 rows and 40000 characters. Narrow the parameters, or read all rows from GET /q/many-rows of the service.',
      ],
      true,
    ]);
    expect(text).to.match(
      /^200 rows \(truncated: more rows exist\); data as of an unknown time \(stale\)\.\nNotice: Only/,
    );
  });

  it('state that the query itself is truncated', async () => {
    const { content } = await call(client, 'many-rows', { most: 600 });
    expect([content.row_count, content.truncated]).to.deep.equal([200, true]);
    const small = await call(client, 'many-rows', { most: 200 });
    expect([small.content.row_count, small.content.truncated, small.content.notices]).to.deep.equal([200, false, []]);
  });

  it('have at most 40,000 characters, and never skip rows between pages', async () => {
    const { content } = await call(client, 'long-rows');
    expect([content.row_count, content.truncated, content.next_page]).to.deep.equal([39, true, null]);
    expect((content.notices as string[])[0]).to.match(/page_size 39 or less to get all rows page by page\.$/);
    const pages = [];
    for (let page: unknown = 1; page !== null; ) {
      const { content: one } = await call(client, 'long-rows', { length: 300, page_size: 99, page });
      pages.push(one.row_count);
      page = one.next_page;
    }
    expect(pages).to.deep.equal([99, 99, 99, 99, 99, 99, 6]);
  });

  it('have no row that alone is too long', async () => {
    const { content, isError } = await call(client, 'long-rows', { length: 60_000, page_size: 3 });
    expect([isError, content.row_count, content.truncated, content.next_page]).to.deep.equal([false, 0, true, null]);
    expect((content.notices as string[])[0]).to.match(/^No row is part of this result, .* Narrow the parameters/);
  });

  it('are errors that name every invalid parameter', async () => {
    const wrong = { most: '5', tags: ['a,b'], label: 'longer', lable: null };
    const { isError, error, text, content } = await call(client, 'many-rows', wrong);
    const messages = [
      'most must be an integer, got "5"',
      'tags must be a list of texts without commas, got "a,b" in the list',
      '"lable" is not a parameter of this endpoint (did you mean "label"?): expected one of most, tags, label',
      'label must be text of 1 to 5 characters, got "longer"',
    ];
    expect([isError, error?.code, content]).to.deep.equal([true, 'bad_parameter', {}]);
    expect(text).to.equal(`Error bad_parameter:\n${messages.map((message) => `- ${message}`).join('\n')}`);
    expect(error?.errors).to.have.length(4);
  });

  it('are errors for values of other types, which are never converted', async () => {
    const messageOf = async (given: Readonly<Record<string, unknown>>) =>
      (await call(client, 'many-rows', given)).error?.message;
    expect(await messageOf({ most: null })).to.equal('most must be an integer, got null; omit it for its default');
    expect(await messageOf({ most: 1.5 })).to.equal('most must be an integer from 1 to 600, got "1.5"');
    expect(await messageOf({ most: [5] })).to.equal('most must be an integer, got a list');
    expect(await messageOf({ label: 5 })).to.equal('label must be a text, got 5');
    expect(await messageOf({ label: { a: 1 } })).to.equal('label must be a text, got an object');
    expect(await messageOf({ tags: 'x' })).to.equal('tags must be a list in which each value is a text, got "x"');
    expect(await messageOf({ tags: ['x', 1] })).to.equal(
      'tags must be a list in which each value is a text, got 1 in the list',
    );
    expect(await messageOf({ label: 'x'.repeat(5_000) })).to.have.length.below(200);
    expect(await messageOf({ most: 'x'.repeat(5_000) })).to.have.length.below(200);
    expect((await call(client, 'many-rows', { most: 2, tags: ['x', 'y'], label: 'a' })).content.rows).to.deep.equal([
      { n: 1, label: 'a' },
      { n: 2, label: 'a' },
    ]);
  });

  it('are errors for broken definitions, and errors of the protocol with a suggestion for unknown tools', async () => {
    for (const name of ['broken-rows', 'invalid-rows']) {
      const { isError, error } = await call(client, name);
      expect([isError, error?.code], name).to.deep.equal([true, 'endpoint_broken']);
    }
    const unknown = await call(client, 'meny-rows').catch((error: unknown) => error);
    expect(unknown).to.deep.include({
      code: -32602,
      message: 'There is no tool "meny-rows" (did you mean "many-rows"?).',
    });
  });

  it('announce the end of a deprecated definition', async () => {
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'many-rows')?.description).to.match(
      /\nDeprecated since 2026-01-31 and may stop working from 2026-12-31\.$/,
    );
  });
});

import { expect } from 'chai';
import { writeClient } from '../../../engine/http/description/client/write-client.js';
import { endpointOf } from '../../engine/fixtures.js';
import { call, connectHttp } from '../../mcp/mcp-client.js';
import type { DemoService } from '../demo-service.js';
import { readStream } from './read-stream.js';

const COLUMNS = `columns:
  - { col: id, data_type: BIGINT, nullable: false, description: The number of the order }
  - { col: item, data_type: VARCHAR, nullable: true, description: The name of the item }
  - { col: customer, data_type: VARCHAR, nullable: true, description: The customer }
  - { col: price, data_type: DECIMAL, scale: 2, nullable: true, description: The price of the item }`;

const ORDERS = `name: orders
path: /v1/nested/orders/
summary: Orders with their items
${COLUMNS}
nest:
  items: { columns: [item, price], by: [id], description: The items of the order }
chart: { chartName: Table, columns: [id, item] }
sql: |
  SELECT o.id, i.item, o.customer, i.price
  FROM (SELECT 7 AS id, 'Ada' AS customer UNION ALL SELECT 9007199254740993, 'Bo' UNION ALL SELECT 3, NULL) o
  LEFT JOIN (
    SELECT 7 AS order_id, 1 AS line, 'rye "dark"' AS item, CAST(1.5 AS DECIMAL(8, 2)) AS price
    UNION ALL SELECT 7, 2, NULL, 2 UNION ALL SELECT 7, 3, 'malt', NULL
    UNION ALL SELECT 3, 1, 'oats', 0.25
  ) i ON i.order_id = o.id
  ORDER BY o.id, i.line
`;

const SOME_ORDERS = ORDERS.replaceAll('orders', 'some-orders')
  .replace(
    'nest:',
    `params:
  after: { in: query, type: integer, default: 0, description: The number of the order before the first one }
  size: { in: query, type: integer, minimum: 1, maximum: 50, default: 10, description: The number of orders }
nest:`,
  )
  .replace('FROM (SELECT 7', 'FROM (SELECT id, customer FROM (SELECT 7')
  .replace('NULL) o', 'NULL) all_orders WHERE id > {{ after }} ORDER BY id LIMIT {{ size }}) o');

const PARENTS = [
  { id: 3, customer: null, items: [{ item: 'oats', price: 0.25 }] },
  {
    id: 7,
    customer: 'Ada',
    items: [
      { item: 'rye "dark"', price: 1.5 },
      { item: null, price: 2 },
      { item: 'malt', price: null },
    ],
  },
  { id: '9007199254740993', customer: 'Bo', items: [] },
];

const FIELDS = [
  { name: 'id', columnType: 'BIGINT' },
  { name: 'item', columnType: 'VARCHAR', list: 'items' },
  { name: 'customer', columnType: 'VARCHAR' },
  { name: 'price', columnType: 'DECIMAL', list: 'items' },
];

const CSV = [
  'id,item,customer,price',
  '3,oats,,0.25',
  '7,"rye ""dark""",Ada,1.50',
  '7,,Ada,2.00',
  '7,malt,Ada,',
  '9007199254740993,,Bo,',
  '',
].join('\r\n');

const ROWS = [
  { id: '3', item: 'oats', customer: '', price: '0.25' },
  { id: '7', item: 'rye "dark"', customer: 'Ada', price: '1.50' },
  { id: '7', item: '', customer: 'Ada', price: '2.00' },
  { id: '7', item: 'malt', customer: 'Ada', price: '' },
  { id: '9007199254740993', item: '', customer: 'Bo', price: '' },
];

/** Returns a definition with these rows in this order: order, item, customer. At most four rows are an answer. */
function definitionOf(name: string, rows: readonly string[], by = ', by: [id]'): string {
  const selects = rows.map((row, place) => {
    const [id, item, customer] = row.split(' ');
    return `SELECT ${place} AS place, ${id} AS id, NULLIF('${item}', '-') AS item, '${customer}' AS customer`;
  });
  return `name: ${name}
summary: Orders with their items
${COLUMNS}
nest:
  items: { columns: [item, price]${by} }
sql: |
  SELECT x.id, x.item, x.customer, NULL AS price FROM (${selects.join(' UNION ALL ')}) x ORDER BY x.place, x.id
limits: { rows: 4 }
`;
}

const DIGITS = Array.from({ length: 10 }, (_, digit) => `SELECT ${digit} AS n`).join(' UNION ALL ');
const NUMBERS = `SELECT ${[1, 10, 100, 1000].map((unit) => `${unit} * d${unit}.n`).join(' + ')} AS id
    FROM ${[1, 10, 100, 1000].map((unit) => `(${DIGITS}) d${unit}`).join(' CROSS JOIN ')}`;

/** Groups of seven numbers each. At the number `broken`, the name of the group differs. */
const GROUPS = `name: groups
summary: Numbers in groups
params:
  most: { in: query, type: integer, default: 10000, description: How many numbers }
  broken: { in: query, type: integer, default: -1, description: The number in a group of another name }
columns:
  - { col: number, data_type: BIGINT, nullable: false, description: Number }
  - { col: grp, data_type: BIGINT, nullable: false, description: Group }
  - { col: name, data_type: VARCHAR, nullable: false, description: Name of the group }
nest:
  numbers: { columns: [number], by: [grp] }
sql: |
  SELECT x.id AS number, CAST(FLOOR(x.id / 7) AS SIGNED) AS grp,
    CASE WHEN x.id = {{ broken }} THEN 'other' ELSE 'same' END AS name
  FROM (${NUMBERS}) x
  WHERE x.id < {{ most }}
  ORDER BY grp, number
limits: { rows: 10, stream_rows: 8002, timeout: 60s }
`;

/** Definitions with `nest`. */
export const NESTED_DEFINITIONS = {
  orders: ORDERS,
  'some-orders': SOME_ORDERS,
  'cut-orders': definitionOf('cut-orders', ['1 a A', '1 b A', '2 a B', '2 b B', '2 c B']),
  whole: definitionOf('whole', ['1 a A', '1 b A', '2 a B', '2 b B', '3 a C']),
  apart: definitionOf('apart', ['1 a A', '2 a B', '1 b A']),
  'apart-at-limit': definitionOf('apart-at-limit', ['1 a A', '1 b A', '2 a B', '2 b B', '1 c A']),
  'all-apart': definitionOf('all-apart', ['1 a A', '1 a B', '1 b A'], ''),
  different: definitionOf('different', ['1 a A', '1 b B']),
  keyed: definitionOf('keyed', ['1 a A', '1 b B'], ''),
  missing: definitionOf('missing', ['1 a A', '1 - A']),
  'long-order': definitionOf('long-order', ['1 a A', '1 b A', '1 c A', '1 d A', '1 e A']),
  groups: GROUPS,
};

/** Defines the tests of nested rows on a service with `NESTED_DEFINITIONS`. */
export function testNestedRows(service: () => DemoService, isServer: boolean): void {
  let demo: DemoService;
  before(() => {
    demo = service();
  });

  /** Reads an answer twice: computed, and stored. Both must be equal. */
  const readTwice = async (path: string) => {
    const read = async () => {
      const response = await demo.get(path, { headers: { 'Accept-Encoding': 'identity' } });
      const { status, headers } = response;
      const of = (name: string) => headers.get(name);
      const cache = of('cache-status')?.replace(/^repo-insight; /, '');
      const facts = ['etag', 'x-row-count', 'x-truncated'].map(of);
      return { cache, answer: { status, facts, text: await response.text() } };
    };
    const [miss, hit] = [await read(), await read()];
    expect([miss.cache, hit.cache, hit.answer]).to.deep.equal(['fwd=miss; stored', 'hit; detail=memory', miss.answer]);
    return miss.answer;
  };
  const linesOf = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('are objects with a list in /q and NDJSON, when computed and when stored', async () => {
    const { fields, data, truncated } = JSON.parse((await readTwice('/q/orders')).text);
    expect({ fields, data, truncated }).to.deep.equal({ fields: FIELDS, data: PARENTS, truncated: false });
    const ndjson = await readTwice('/v1/nested/orders.ndjson');
    const end = { rows: 3, truncated: false, data_as_of: null, stale: true, notices: [] };
    expect(linesOf(ndjson.text)).to.deep.equal([...PARENTS, { _end: end }]);
    expect(ndjson.facts.slice(1)).to.deep.equal(['3', 'false']);
  });

  it('are one row for each child under /v1 and in CSV', async () => {
    const { rows, result } = JSON.parse((await readTwice('/v1/nested/orders/')).text).data;
    expect([rows, result.row_count]).to.deep.equal([ROWS, 5]);
    const csv = await readTwice('/q/orders.csv');
    expect([csv.text, ...csv.facts.slice(1)]).to.deep.equal([CSV, '5', 'false']);
  });

  it('are only complete parents if the row limit cuts a list', async () => {
    const [one, two] = [
      { id: 1, customer: 'A', items: [item('a'), item('b')] },
      { id: 2, customer: 'B', items: [item('a'), item('b')] },
    ];
    const answers = await Promise.all(['cut-orders', 'whole'].map((name) => readTwice(`/q/${name}`)));
    const parsed = answers.map(({ text }) => JSON.parse(text)).map(({ data, truncated }) => ({ data, truncated }));
    expect(parsed).to.deep.equal([
      { data: [one], truncated: true },
      { data: [one, two], truncated: true },
    ]);
    const { text, facts } = await readTwice('/q/cut-orders.csv');
    expect([text.split('\r\n').length, ...facts.slice(1)]).to.deep.equal([5, '2', 'true']);
  });

  it('are identified by all columns of the parent without a key', async () => {
    const { data } = JSON.parse((await readTwice('/q/keyed')).text);
    expect(data).to.deep.equal([
      { id: 1, customer: 'A', items: [item('a')] },
      { id: 1, customer: 'B', items: [item('b')] },
    ]);
  });

  it('have a limit of parents in a derived table', async () => {
    const { data } = JSON.parse((await readTwice('/q/some-orders?after=3&size=1')).text);
    expect(data).to.deep.equal([PARENTS[1]]);
  });

  it('fail in every format if they do not form parents', async () => {
    const reasons = {
      apart: 'id 1 has rows that are not consecutive: ORDER BY must begin with the columns of the parent',
      'apart-at-limit': 'id 1 has rows that are not consecutive: ORDER BY must begin with the columns of the parent',
      'all-apart':
        'id 1, customer A has rows that are not consecutive: ORDER BY must begin with the columns of the parent',
      different: 'id 1 has different values of customer: A and B. Add customer to nest, under by or under columns',
      missing: 'id 1 has several rows, one of them with NULL in all columns of items: add a column that is never NULL',
      'long-order': 'id 1 has more than 4 rows, which is limits.rows',
    };
    for (const [name, reason] of Object.entries(reasons)) {
      for (const format of ['json', 'ndjson', 'csv']) {
        const response = await demo.get(`/q/${name}?format=${format}`);
        const { code, detail } = (await response.json()) as { code: string; detail: string };
        expect([response.status, code, detail]).to.deep.equal([
          500,
          'query_failed',
          `The rows of ${name} cannot be nested: the parent with ${reason}.`,
        ]);
      }
    }
  });

  it('are whole in streams, also at the row limit', async () => {
    const read = (path: string) => readStream(`${demo.service.url}${path}`);
    for (const [query, rows, truncated] of [
      ['most=7000', 7000, false],
      ['most=7003', 7003, false],
      // The limit cuts the last of 1144 groups.
      ['', 8001, true],
    ] as const) {
      const groups = Array.from({ length: Math.ceil(rows / 7) }, (_, grp) => ({
        grp,
        name: 'same',
        numbers: Array.from({ length: Math.min(7, rows - 7 * grp) }, (_, index) => ({ number: 7 * grp + index })),
      }));
      const ndjson = await read(`/q/groups.ndjson?${query}`);
      const lines = linesOf(ndjson.body.toString());
      expect(lines.pop()._end).to.deep.include({ rows: groups.length, truncated });
      expect(lines).to.deep.equal(groups);
      expect(ndjson.trailers['x-row-count'] ?? ndjson.headers['x-row-count']).to.equal(`${groups.length}`);
      const csv = await read(`/q/groups.csv?${query}`);
      expect(csv.body.toString().split('\r\n')[rows]).to.equal(`${rows - 1},${groups.length - 1},same`);
      expect([csv.trailers['x-row-count'], csv.trailers['x-truncated']]).to.deep.equal([`${rows}`, `${truncated}`]);
    }
    const failed = linesOf((await read('/q/groups.ndjson?broken=7995')).body.toString()).at(-1);
    expect(failed._end).to.deep.include({ truncated: true });
    expect(failed._end.error).to.deep.equal({
      code: 'query_failed',
      message:
        'The rows of groups cannot be nested: the parent with grp 1142 has different values of name: same and other. Add name to nest, under by or under columns.',
    });
  });

  // The other formats and documents do not depend on the kind of the database.
  if (isServer) return;

  it('are objects with a list in results of MCP', async () => {
    const client = await connectHttp(demo);
    const { content, text } = await call(client, 'orders');
    await client.close();
    expect([content.columns, content.rows, content.row_count]).to.deep.equal([
      [
        { name: 'id', type: 'BIGINT' },
        { name: 'customer', type: 'VARCHAR' },
        { name: 'items', type: 'JSON' },
      ],
      PARENTS,
      3,
    ]);
    expect(text).to.contain('id,customer,items\n3,,"[{""item"":""oats"",""price"":0.25}]"\n');
  });

  it('are described in OpenAPI', async () => {
    const { components } = (await (await demo.get('/openapi.json')).json()) as {
      components: { schemas: Record<string, { required: string[]; properties: Record<string, object> }> };
    };
    const { OrdersRecord, OrdersRow, OrdersQueryAnswer, NestedField } = components.schemas;
    const { items } = OrdersRecord?.properties ?? {};
    expect([OrdersRecord?.required, items]).to.deep.equal([
      ['id', 'customer', 'items'],
      {
        type: 'array',
        description: 'The items of the order',
        items: {
          type: 'object',
          required: ['item', 'price'],
          properties: {
            item: { type: ['string', 'null'], description: 'The name of the item' },
            price: {
              description: 'The price of the item',
              allOf: [{ $ref: '#/components/schemas/DecimalNumberOrNull' }],
            },
          },
        },
      },
    ]);
    expect(OrdersRow?.required).to.deep.equal(['id', 'item', 'customer', 'price']);
    expect(OrdersQueryAnswer?.properties.fields).to.deep.include({
      items: { $ref: '#/components/schemas/NestedField' },
    });
    expect(NestedField?.required).to.deep.equal(['name', 'columnType']);
  });

  it('have types in the TypeScript client', async () => {
    const client = writeClient([await endpointOf(ORDERS)]);
    const [, row] = /export interface OrdersRow \{\n([^}]*\}\)\[\];\n)\}/.exec(client) ?? [];
    expect(row?.replaceAll(/^ *\/\*\*.*\n/gm, '').split('\n')).to.deep.equal([
      '  readonly id: number | string;',
      '  readonly customer: string | null;',
      '  readonly items: readonly ({ readonly item: string | null; readonly price: number | string | null })[];',
      '',
    ]);
  });

  it('are flat in charts', async () => {
    const svg = await (await demo.get('/e/orders.svg')).text();
    for (const cell of ['oats', 'rye', 'malt']) expect(svg).to.contain(cell);
  });
}

function item(name: string) {
  return { item: name, price: null };
}

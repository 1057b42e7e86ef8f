import { expect } from 'chai';
import { problemsIn } from './fixtures.js';

const VALID = `name: list-orders
summary: Orders with their items
params:
  sort: { in: query, enum: [id, customer], default: id, description: Order }
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: The number of the order }
  - { col: customer, data_type: VARCHAR, nullable: false, description: The customer }
  - { col: item, data_type: VARCHAR, nullable: true, description: The item }
nest:
  items: { columns: [item], by: [id] }
sql: |
  SELECT o.id, o.customer, i.item
  FROM orders o LEFT JOIN items i ON i.order_id = o.id
  ORDER BY {% if sort == "customer" %}o.customer, {% endif %}o.id, i.item
`;

/** A change that makes the definition above invalid, and the single problem that must be reported. */
const MISTAKES: readonly { readonly edits: readonly (readonly [string, string])[]; readonly problem: string }[] = [
  {
    edits: [['columns: [item]', 'columns: [itm]']],
    problem: '10:22 nest.items.columns.0: "itm" is not a declared column (did you mean "item"?)',
  },
  {
    edits: [['by: [id]', 'by: [number]']],
    problem: '10:34 nest.items.by.0: "number" is not a declared column (expected one of id, customer, item)',
  },
  {
    edits: [['by: [id]', 'by: [id, item]']],
    problem: '10:38 nest.items.by.1: "item" is a column of the list, and cannot identify a parent',
  },
  {
    edits: [['  items:', '  Customer:']],
    problem: '10:3 nest.Customer: "Customer" is also a column: give the list another name',
  },
  {
    edits: [['columns: [item], by: [id]', 'columns: [id, customer, item]']],
    problem: '10:12 nest.items.columns: no column is left for the parents',
  },
  {
    edits: [['columns: [item]', 'columns: []']],
    problem: '10:21 nest.items.columns: invalid value (expected a list of at least 1 item, got a list)',
  },
  {
    edits: [['columns: [item]', 'columns: [item, item]']],
    problem: '10:21 nest.items.columns: invalid value (expected a list without duplicates, got a list)',
  },
  {
    edits: [['by: [id]', 'key: [id]']],
    problem: '10:29 nest.items.key: unknown key (did you mean "by"?)',
  },
  {
    edits: [['nest:\n  items: { columns: [item], by: [id] }', 'nest: {}']],
    problem: '9:7 nest: invalid value (expected a mapping with at least 1 key, got a mapping)',
  },
  {
    edits: [['sql:', '  notes: { columns: [item] }\nsql:']],
    problem:
      '11:3 nest.notes: only one list is possible: a second join to many rows multiplies the rows of the first; write another definition for it',
  },
  {
    edits: [['sql:', 'pagination: { default: 10, max: 10 }\nsql:']],
    problem:
      '9:1 nest: nest does not apply to a definition with pagination, because pages count rows and can cut a list: select the parents of a page in a derived table, with a parameter',
  },
  {
    edits: [
      ['i.item\n`', ''],
      ['o.id, i.item\n', 'o.id, i.item\n  LIMIT 10\n'],
    ],
    problem:
      '9:1 nest: the SQL has a LIMIT, which can cut the list of the last parent: limit the parents in a derived table instead',
  },
  {
    edits: [['  ORDER BY {% if sort == "customer" %}o.customer, {% endif %}o.id, i.item', '  WHERE {{ sort }} = 1']],
    problem: '12:3 sql: nest needs the rows of a parent together: the SQL has no ORDER BY (expected ORDER BY id)',
  },
  {
    edits: [['o.id, i.item', 'i.item, o.id']],
    problem: '14:62 sql: nest needs the rows of a parent together: item is a column of items (expected id before it)',
  },
  {
    edits: [['o.customer, {% endif %}o.id, i.item', 'o.customer{% else %}o.id{% endif %}']],
    problem:
      '14:39 sql: nest needs the rows of a parent together: ORDER BY does not contain id (when sort = "customer") (expected ORDER BY id)',
  },
  {
    edits: [
      [', by: [id]', ''],
      ['{% endif %}o.id, i.item', '{% endif %}i.item, o.id'],
    ],
    problem: '14:62 sql: nest needs the rows of a parent together: item is a column of items (expected id before it)',
  },
  {
    edits: [['sql:', 'limits: { stream_rows: 5000 }\nsql:']],
    problem:
      '15:39 sql: nest with stream_rows needs an order that keeps the rows of a parent together (when sort = "customer") (expected ORDER BY that begins with the columns of nest.by, which are integers, decimals, dates or times)',
  },
];

describe('nest', () => {
  it('accepts orders that keep the rows of a parent together', async () => {
    const withoutSort = VALID.replace(/params:\n.*\n/, '').replace(/\{% if.*endif %\}/, '');
    const orders = ['o.id, i.item', 'id', '1, 3', 'o.customer DESC, o.id', 'o.created_at DESC, o.id, i.place'];
    const definitions = [
      VALID,
      ...orders.map((order) => withoutSort.replace('o.id, i.item\n', `${order}\n`)),
      withoutSort.replace(', by: [id]', ''),
      withoutSort.replace('sql:', 'limits: { stream_rows: 5000 }\nsql:'),
    ];
    for (const text of definitions) expect(await problemsIn({ 'orders.yaml': text }), text).to.deep.equal([]);
  });

  for (const { edits, problem } of MISTAKES) {
    it(`reports ${problem}`, async () => {
      const text = edits.reduce((edited, [from, to]) => edited.replace(from, to), VALID);
      expect(await problemsIn({ 'orders.yaml': text })).to.deep.equal([`orders.yaml:${problem}`]);
    });
  }
});

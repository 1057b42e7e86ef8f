import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DefinitionLoader, type DefinitionScope, type EndpointQuery } from '../../engine/index.js';

const COLUMNS = `
columns:
  - { col: day, data_type: DATE, nullable: false, description: Day. }
  - { col: orders, data_type: BIGINT, nullable: false, description: Orders. }
  - { col: note, data_type: TEXT, nullable: true, description: Note. }
`;
const SQL = 'sql: SELECT DATE(at) AS day, COUNT(*) AS orders, MAX(note) AS note FROM orders GROUP BY DATE(at)\n';
const VALID = 'materialize: { every: 1h, key: [day] }\n';

/** The query of the time of the last refresh; `0` replaces the identity of the definition. */
const TIME =
  "SELECT CASE WHEN COUNT(*) = 1 THEN MIN(refreshed_at) END FROM repo_insight_rollups WHERE (table_name = 'daily_orders' AND definition = '0')";
const timeOf = (query: EndpointQuery | undefined) => query?.texts[0]?.sql.replace(/[0-9a-f]{64}/, '0');

describe('definitions with materialize', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-definitions-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const load = async (texts: Readonly<Record<string, string>>, scope: DefinitionScope = { materializes: true }) => {
    await rm(folder, { recursive: true, force: true });
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-definitions-'));
    for (const [name, text] of Object.entries(texts))
      await writeFile(join(folder, `${name}.yaml`), `name: ${name}\nsummary: Test.${text}`);
    return new DefinitionLoader([folder], scope).load();
  };
  const problemsOf = async (text: string, scope?: DefinitionScope) => {
    const { problems } = await load({ 'daily-orders': text }, scope);
    return problems.map(({ line, message, expected }) => `${line}: ${message}${expected ? ` (${expected})` : ''}`);
  };

  it('report what a stored table cannot have', async () => {
    const texts: readonly (readonly [text: string, problem: string])[] = [
      [`${COLUMNS}${SQL}materialize: { key: [day] }\n`, '8: the key "every" or "after" is missing'],
      [`${COLUMNS}${SQL}materialize: { every: 9s, key: [day] }\n`, '8: the time is too short (at least 10s)'],
      [
        `${COLUMNS}${SQL}materialize: { every: 1h, key: [day], timeout: 2h }\n`,
        '8: the timeout is too long (at most 1h)',
      ],
      [
        `${COLUMNS}${SQL}materialize: { every: 1h, key: [days] }\n`,
        '8: the column "days" is not declared (did you mean "day"?)',
      ],
      [`${COLUMNS}${SQL}materialize: { every: 1h, key: [note] }\n`, '8: the column "note" is nullable'],
      [
        `${COLUMNS.replace('TEXT, nullable: true', 'TEXT, nullable: false')}${SQL}materialize: { every: 1h, key: [note] }\n`,
        '8: TEXT cannot be part of a key',
      ],
      [
        `${COLUMNS.replace('TEXT, nullable: true', 'TEXT, nullable: false')}${SQL}materialize: { every: 1h, key: [day], watermark: note }\n`,
        '8: TEXT cannot be a watermark',
      ],
      [`${COLUMNS}${SQL}materialize: { every: 1h, key: [day], full: 1d }\n`, '8: full requires watermark'],
      [
        `${COLUMNS}${SQL.replace('GROUP', 'WHERE at >= {{ watermark }} GROUP')}${VALID}`,
        '7: {{ watermark }} requires materialize.watermark',
      ],
      [
        `${COLUMNS}${SQL.trimEnd()} ORDER BY day LIMIT 5\nmaterialize: { every: 1h, key: [day], watermark: day }\n`,
        '7: LIMIT does not apply to rows that are computed from a watermark on',
      ],
      [
        `${COLUMNS}computed_at: SELECT MAX(at) FROM orders\n${SQL}${VALID}`,
        '7: not with materialize: the time of the last refresh is added to each answer',
      ],
      [
        `${COLUMNS}params: { x: { in: query, type: integer, description: X. } }\n${SQL.replace('GROUP', 'WHERE id = {{ x }} GROUP')}${VALID}`,
        '7: not with materialize: the rows are stored before a request: write another definition with parameters, which reads the table',
      ],
      [
        `${COLUMNS}notices: [{ when: always, sql: SELECT note AS notice FROM orders }]\n${SQL}${VALID}`,
        '7: not with materialize: notices would describe the tables of the SQL, not the stored rows',
      ],
      [
        `${COLUMNS}pagination: { default: 5, max: 10, total: SELECT COUNT(*) FROM orders }\n${SQL}${VALID}`,
        '7: with materialize, total can only be true',
      ],
    ];
    const found: (readonly [string, readonly string[]])[] = [];
    for (const [text] of texts) found.push([text, await problemsOf(text)]);
    expect(found).to.deep.equal(texts.map(([text, problem]) => [text, [problem]]));
  });

  it('are read from their table by the endpoint, and computed where the program stores no tables', async () => {
    const text = `${COLUMNS}${SQL}${VALID}pagination: { default: 5, max: 10, total: true }\n`;
    const sqlOf = async (scope: DefinitionScope) => {
      const { endpoints } = await load({ 'daily-orders': text }, scope);
      return endpoints.map(({ query, computedAt, tables }) => [
        query.texts[0]?.sql.split('\n')[0],
        timeOf(computedAt),
        [...tables].sort(),
      ]);
    };
    expect(await sqlOf({ materializes: true })).to.deep.equal([
      ['SELECT day, orders, note FROM daily_orders ORDER BY day', TIME, ['daily_orders', 'repo_insight_rollups']],
    ]);
    expect(await sqlOf({})).to.deep.equal([
      [
        'SELECT DATE(at) AS day, COUNT(*) AS orders, MAX(note) AS note FROM orders GROUP BY DATE(at)',
        undefined,
        ['orders'],
      ],
    ]);
  });

  it('give the time of their refresh to definitions that read the table, except those with their own computed_at', async () => {
    const reader = `\ncolumns: [{ col: day, data_type: DATE, nullable: false, description: Day. }]\nsql: SELECT day FROM daily_orders ORDER BY day\n`;
    const { endpoints, problems } = await load({
      'daily-orders': `${COLUMNS}${SQL}${VALID}`,
      reader,
      timed: `${reader}computed_at: SELECT MAX(day) FROM daily_orders\n`,
    });
    expect(problems).to.deep.equal([]);
    expect(endpoints.map(({ computedAt }) => timeOf(computedAt))).to.deep.equal([
      TIME,
      TIME,
      'SELECT MAX(day) FROM daily_orders',
    ]);
  });

  it('cannot depend on the caller, unless their own table has a row filter', async () => {
    const claims = { tenant: { type: 'string', example: 'acme' } } as const;
    const condition = 'note = {{ caller.claims.tenant }}';
    const scope = (...tables: string[]) => ({
      ...{ materializes: true, claims, access: ['key'] },
      rowFilters: new Map(tables.map((table) => [table, condition])),
    });
    const text = `${COLUMNS}${SQL}${VALID}`;
    const message =
      '7: the stored rows are the same for all callers, so the SQL and the row filters of its tables cannot depend on caller.claims.tenant: ' +
      'select the column, and restrict daily_orders with a row_filter in tables/daily_orders.yaml';
    expect(await problemsOf(text, scope('orders'))).to.deep.equal([message]);
    expect(await problemsOf(text.replace('GROUP', `WHERE ${condition} GROUP`), scope())).to.deep.equal([message]);
    const { endpoints, problems } = await load({ 'daily-orders': text }, scope('orders', 'daily_orders'));
    expect(problems).to.deep.equal([]);
    const [{ query, rollup } = {}] = endpoints;
    expect([query?.texts[0]?.sql.split('\n')[0], rollup?.query.texts[0]?.sql]).to.deep.equal([
      'SELECT day, orders, note FROM (SELECT * FROM daily_orders WHERE (note = :p1)) AS daily_orders ORDER BY day',
      'SELECT DATE(at) AS day, COUNT(*) AS orders, MAX(note) AS note FROM orders GROUP BY DATE(at)',
    ]);
  });

  it('apply the row filters of other tables that are the same for all callers, and need those that depend on the caller', async () => {
    const claims = { tenant: { type: 'string', example: 'acme' } } as const;
    const scope = (rowFilters: Readonly<Record<string, string>>) => ({
      ...{ materializes: true, claims, access: ['key'], rowFilters: new Map(Object.entries(rowFilters)) },
    });
    const ofTenant = 'note = {{ caller.claims.tenant }}';
    const text = `access: key\n${COLUMNS}${SQL.replace('orders GROUP', 'orders JOIN hidden USING (id) GROUP')}${VALID}`;
    const filters = { orders: ofTenant, hidden: 'is_hidden = 0' };
    const { endpoints } = await load({ 'daily-orders': `\n${text}` }, scope({ ...filters, daily_orders: ofTenant }));
    expect(endpoints.map(({ rollup }) => rollup?.query.texts[0]?.sql)).to.deep.equal([
      'SELECT DATE(at) AS day, COUNT(*) AS orders, MAX(note) AS note FROM orders JOIN (SELECT * FROM hidden WHERE (is_hidden = 0)) AS hidden USING (id) GROUP BY DATE(at)',
    ]);
    expect(await problemsOf(`\n${text}`, scope({ ...filters, daily_orders: 'orders > 5' }))).to.deep.equal([
      '9: the row filter of a table depends on caller.claims.tenant, so the row_filter in tables/daily_orders.yaml must also depend on it, or be TRUE',
    ]);
    expect(await problemsOf(`\n${text}`, scope({ ...filters, daily_orders: 'TRUE' }))).to.deep.equal([]);
    const isPublic = `\n${text.replace('access: key', 'access: public')}`;
    expect(await problemsOf(isPublic, scope({ ...filters, daily_orders: ofTenant }))).to.deep.equal([
      '9: the row_filter of daily_orders depends on caller.claims.tenant, so the definition cannot be public: add the key access',
    ]);
  });

  it('cannot be computed after their own changes', async () => {
    const refreshedAfter = (...tables: string[]) =>
      `\n${COLUMNS}${SQL}materialize: { after: [${tables.join(', ')}], key: [day] }\n`;
    const { problems } = await load({
      one: refreshedAfter('one'),
      two: refreshedAfter('orders', 'three_x'),
      'three-x': refreshedAfter('four'),
      four: refreshedAfter('two'),
      five: refreshedAfter('four'),
    });
    const message = (table: string) =>
      `each refresh of ${table} would lead to another one, because of the tables in "after"`;
    expect(problems.map((problem) => problem.message).sort()).to.deep.equal(
      ['four', 'one', 'three_x', 'two'].map(message),
    );
  });

  it('make definitions that read their tables broken if they have a problem', async () => {
    const reading = (table: string) => SQL.replace('FROM orders', `FROM ${table}`).replaceAll('(at)', '(day)');
    const { endpoints, problems } = await load({
      first: `\n${COLUMNS}${SQL}materialize: { every: 1s, key: [day] }\n`,
      second: `\n${COLUMNS}${reading('first')}${VALID}`,
      third: `\n${COLUMNS}${reading('second')}`,
      other: `\n${COLUMNS}${SQL}${VALID}`,
    });
    expect(endpoints.map(({ definition: { name } }) => name)).to.deep.equal(['other']);
    expect(problems.map(({ message }) => message).sort()).to.deep.equal([
      'the definition of the materialized table first has a problem',
      'the definition of the materialized table second has a problem',
      'the time is too short',
    ]);
  });
});

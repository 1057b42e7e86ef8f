import { expect } from 'chai';
import fc from 'fast-check';
import {
  type BoundValue,
  type CompiledQuery,
  createEngine,
  type Endpoint,
  type Engine,
  PATIENT_METADATA_TIMEOUT_MS,
  rawFromValues,
} from '../../engine/index.js';
import { MAX_ROWS } from '../../engine/sql/guard/guard-sql.js';
import { toLiteralSql } from '../../explorer/answers/literal-sql.js';
import { Playground } from '../../explorer/playground/playground.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';
import { NOW } from '../service/demo-data.js';
import { onBothDatabases } from '../services/mysql.js';
import { type ExplorerWarehouse, openExplorerWarehouse } from './explorer-warehouse.js';

describe('toLiteralSql', () => {
  for (const [query, expected] of [
    [{ sql: 'SELECT :p1, :p2', values: [1, 'x'] }, "SELECT 1, 'x'"],
    [{ sql: 'SELECT :p2, :p1, :p2', values: [1, 2] }, 'SELECT 2, 1, 2'],
    [{ sql: 'SELECT :p1', values: ["it's a \\ and a \\' and :p1"] }, "SELECT 'it''s a \\\\ and a \\\\'' and :p1'"],
    [{ sql: 'SELECT :p1, :p2, :p3', values: [null, true, false] }, 'SELECT NULL, TRUE, FALSE'],
    [{ sql: 'SELECT 1 - :p1, -:p2', values: [-5, -7n] }, 'SELECT 1 - (-5), -(-7)'],
    [{ sql: 'SELECT :p1', values: [2n ** 70n] }, 'SELECT 1180591620717411303424'],
    [{ sql: 'SELECT :p1, :p2, :p3', values: [0.1, 1e21, -1e-7] }, 'SELECT 0.1e0, 1e+21, (-1e-7)'],
    [{ sql: "SELECT ':p1', ':p1''', `:p1`, \":p1\", :p1", values: [9] }, "SELECT ':p1', ':p1''', `:p1`, \":p1\", 9"],
    [{ sql: 'SELECT /* :p1 */ :p1 # :p1\n, :p1 -- :p1', values: [9] }, 'SELECT /* :p1 */ 9 # :p1\n, 9 -- :p1'],
    [{ sql: 'SELECT 1 LIMIT :p10', values: [...'123456789'].map(Number).concat(50) }, 'SELECT 1 LIMIT 50'],
  ] satisfies [CompiledQuery, string][]) {
    it(`writes ${JSON.stringify(expected)}`, () => {
      expect(toLiteralSql(query)).to.equal(expected);
    });
  }

  it('rejects a marker without a value and a number without a literal', () => {
    expect(() => toLiteralSql({ sql: 'SELECT :p2', values: [1] })).to.throw(RangeError, '1 values and the marker :p2');
    expect(() => toLiteralSql({ sql: 'SELECT :p1', values: [Number.NaN] })).to.throw(RangeError, 'no literal for NaN');
  });
});

/** The definitions, which both suites share. */
let loaded: Promise<readonly Endpoint[]> | undefined;

onBothDatabases('the SQL of definitions with literals', (settings) => {
  let warehouse: ExplorerWarehouse;
  let playground: Playground;
  let engine: Engine;
  let endpoints: readonly Endpoint[];

  before(async () => {
    warehouse = await openExplorerWarehouse(settings());
    playground = new Playground(await warehouse.openPlayground(), TABLE_REFERENCE, TIMEOUT_MS);
    loaded ??= loadDefinitions(readSettings({}));
    endpoints = await loaded;
    engine = createEngine({
      endpoints,
      database: warehouse.database,
      clock: () => new Date(NOW),
      stopwatch: () => 0,
      metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
    });
  });
  after(() => warehouse?.close());

  it('returns the same rows in the playground as the engine, for every example on the most starred repository', async () => {
    const reports: string[] = [];
    const isServer = settings().DATABASE_URL !== undefined;
    const [owner = '', repo = ''] = (await mostStarred(playground)).split('/');
    let rowCount = 0;
    for (const endpoint of endpoints) {
      const { examples } = endpoint.definition;
      // The SQL of a definition has the same literals for each example, so one example is enough on the server.
      for (const { name, params } of isServer ? examples.slice(0, 1) : examples) {
        const raw = rawFromValues(endpoint.parameters, 'repo' in params ? { ...params, owner, repo } : params);
        const compiled = endpoint.query.compile(endpoint.readParameters(raw), new Date(NOW));
        const expected = await engine.run(endpoint, raw);
        try {
          const { columns, rows, more } = await playground.run(toLiteralSql(compiled));
          expect(columns.map((column) => column.name)).to.deep.equal(expected.columns.map((column) => column.name));
          // The SQL of a definition requests one row more than the answer contains.
          expect(rows.slice(0, expected.limit)).to.deep.equal(expected.rows.slice(0, MAX_ROWS));
          expect(more || rows.length > expected.limit).to.equal(expected.truncated || expected.rows.length > MAX_ROWS);
          rowCount += rows.length;
        } catch (error) {
          reports.push(`${endpoint.definition.name}, ${name}: ${(error as Error).message}`);
        }
      }
    }
    expect(endpoints).to.have.length(46);
    expect(reports).to.deep.equal(isServer ? REJECTED.filter((report) => FIRST_EXAMPLES.test(report)) : REJECTED);
    expect(rowCount).to.be.greaterThan(200);
  });

  it('contains every text exactly', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(PIECE, { maxLength: 12 }), { minLength: 50, maxLength: 70 }),
        async (lists) => {
          const values = lists.map((pieces) => pieces.join('').replaceAll(NOT_ALLOWED, ''));
          const markers = values.map((_, index) => `:p${index + 1} AS c${index}`);
          const sql = `SELECT ':p1' AS marker, /* ' :p1 */ ${markers.join(', ')} -- ' :p1`;
          const { rows } = await playground.run(toLiteralSql({ sql, values }));
          expect(rows).to.deep.equal([[':p1', ...values]]);
        },
      ),
      // Many values per query need less time than many queries.
      { numRuns: 25 },
    );
  });

  it('contains numbers, booleans and NULL exactly', async () => {
    const values: BoundValue[] = [0, -1, 2 ** 53 - 1, 9007199254740993n, -(2n ** 63n), true, false, null, 0.5, -0.1];
    const sql = `SELECT ${values.map((_, index) => `1 - 1 + :p${index + 1} AS c${index}`).join(', ')}`;
    const { rows } = await playground.run(toLiteralSql({ sql, values }));
    expect(rows[0]?.map((cell) => (cell === null ? null : Number(cell)))).to.deep.equal(
      values.map((value) => (value === null ? null : Number(value))),
    );
    expect(String(rows[0]?.[3])).to.equal('9007199254740993');
  });
});

const TIMEOUT_MS = 600_000;

/**
 * Examples that the playground rejects, because they read private tables of the service (requests, imported files, names for the search).
 */
const REJECTED = [
  'list-hot-collections, the hottest: there is no public table collection_visits (did you mean "collection_items"?)',
  'data-coverage, all days: there is no public table imported_hours',
  'person-activity, the months of one year: there is no public table mv_user_names (did you mean "mv_repo_names"?)',
  'person-activity, the days of four weeks: there is no public table mv_user_names (did you mean "mv_repo_names"?)',
  'person-languages, one person: there is no public table mv_user_names (did you mean "mv_repo_names"?)',
  'person-overview, one person: there is no public table mv_user_names (did you mean "mv_repo_names"?)',
  'person-repositories, most pull requests first: there is no public table mv_user_names (did you mean "mv_repo_names"?)',
  'person-repositories, the newest stars: there is no public table mv_user_names (did you mean "mv_repo_names"?)',
];

/** Matches the rejected examples that are the first ones of their definitions. */
const FIRST_EXAMPLES = /, (the hottest|all days|the months of one year|one person|most pull requests first):/;

async function mostStarred(playground: Playground): Promise<string> {
  const sql =
    'SELECT r.repo_name FROM github_repos r JOIN mv_repo_totals t ON t.repo_id = r.repo_id ORDER BY t.stars DESC LIMIT 1';
  const { rows } = await playground.run(sql);
  return String(rows[0]?.[0]);
}

/** Matches characters that the guard rejects. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
const NOT_ALLOWED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff]|\p{Surrogate}/gu;

const PIECE = fc.oneof(
  fc.constantFrom(
    "'",
    "''",
    '"',
    '`',
    '\\',
    '\\\\',
    "\\'",
    ':p1',
    ':p2',
    '/*',
    '*/',
    '-- ',
    '--',
    '#',
    ';',
    '\n',
    '\t',
  ),
  fc.constantFrom('%', '_', '{{ x }}', '$1', '$$', '?', '\\0', '\\n', '\\Z', '\u00a0', '\u2028', '😀', 'é', 'e\u0301'),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

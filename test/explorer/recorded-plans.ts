import type { Cell } from '../../engine/index.js';

/** A recorded EXPLAIN result, and the expected number of rows or error message. */
export interface RecordedPlan {
  readonly title: string;
  readonly database: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly expected: number | string;
}

const UNKNOWN = 'does not state its cost';

const TIDB = ['id', 'estRows', 'task', 'access object', 'operator info'];
const MYSQL = ['id', 'select_type', 'table', 'partitions', 'type', 'rows', 'filtered', 'Extra'];
const MARIADB = ['id', 'select_type', 'table', 'type', 'possible_keys', 'key', 'key_len', 'ref', 'rows', 'Extra'];
const DUCKDB = ['explain_key', 'explain_value'];

/** Parses an EXPLAIN result of TiDB from text. Columns are separated by ` | `. */
function tidb(title: string, expected: RecordedPlan['expected'], text: string): RecordedPlan {
  const rows = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.slice(INDENT).split(' | '));
  return { title: `of TiDB, ${title}`, database: 'tidb', columns: TIDB, rows, expected };
}

/** The indentation of TiDB's texts in this file. */
const INDENT = 4;

function duckdb(title: string, expected: RecordedPlan['expected'], value: unknown): RecordedPlan {
  const rows = [['physical_plan', typeof value === 'string' ? value : JSON.stringify(value)]];
  return { title: `of DuckDB, ${title}`, database: 'duckdb', columns: DUCKDB, rows, expected };
}

function operator(name: string, estimate?: number | string, ...children: readonly unknown[]): object {
  return { name, children, extra_info: estimate === undefined ? {} : { 'Estimated Cardinality': `${estimate}` } };
}

const [SCAN, SMALL_SCAN] = [operator('SEQ_SCAN', 6_000), operator('SEQ_SCAN', 200)];

export const RECORDED_PLANS: readonly RecordedPlan[] = [
  tidb(
    'without a table',
    1,
    `
    Projection_5 | 1.00 | root |  | 1->Column#1
    └─TableDual_6 | 1.00 | root |  | rows:1`,
  ),
  tidb(
    'a count over an index',
    10_000,
    `
    Limit_11 | 1.00 | root |  | offset:0, count:101
    └─HashAgg_23 | 1.00 | root |  | funcs:count(Column#45)->Column#35
      └─IndexReader_24 | 1.00 | root |  | index:HashAgg_12
        └─HashAgg_12 | 1.00 | cop[tikv] |  | funcs:count(1)->Column#45
          └─IndexFullScan_18 | 10000.00 | cop[tikv] | table:github_events_1, index:by_time(created_at) | keep order:false`,
  ),
  tidb(
    'a join on equal columns',
    32_478,
    `
    Projection_13 | 101.00 | root |  | insight.github_repos.repo_name, Column#57
    └─TopN_16 | 101.00 | root |  | Column#57:desc, offset:0, count:101
      └─HashAgg_21 | 8000.00 | root |  | group by:insight.github_repos.repo_name, funcs:count(1)->Column#57
        └─MergeJoin_23 | 12487.50 | root |  | inner join, left key:insight.github_events.repo_id
          ├─TableReader_49(Build) | 10000.00 | root |  | data:TableFullScan_48
          │ └─TableFullScan_48 | 10000.00 | cop[tikv] | table:github_repos_1 | keep order:true, stats:pseudo
          └─IndexReader_47(Probe) | 9990.00 | root |  | index:IndexFullScan_46
            └─IndexFullScan_46 | 9990.00 | cop[tikv] | table:github_events_1, index:by_repo(repo_id) | keep order:true`,
  ),
  tidb(
    'a semi join that compares all pairs',
    99_820_100,
    `
    HashAgg_18 | 1.00 | root |  | funcs:count(1)->Column#70
    └─HashJoin_20 | 7992.00 | root |  | CARTESIAN semi join, other cond:like(insight.github_events.repo_name, 92)
      ├─TableReader_26(Build) | 9990.00 | root |  | data:Selection_25
      │ └─Selection_25 | 9990.00 | cop[tikv] |  | not(isnull(insight.github_events.id))
      │   └─TableFullScan_24 | 10000.00 | cop[tikv] | table:github_events_2 | keep order:false, stats:pseudo
      └─TableReader_23(Probe) | 9990.00 | root |  | data:Selection_22
        └─Selection_22 | 9990.00 | cop[tikv] |  | not(isnull(insight.github_events.id))
          └─TableFullScan_21 | 10000.00 | cop[tikv] | table:github_events_1 | keep order:false, stats:pseudo`,
  ),
  tidb(
    'a cross join of three tables',
    'would read about 1,000,100,030,000 rows; at most 10,000,000,000 are allowed',
    `
    HashJoin_22 | 1000000000000.00 | root |  | CARTESIAN inner join
    ├─IndexReader_53(Build) | 10000.00 | root |  | index:IndexFullScan_52
    │ └─IndexFullScan_52 | 10000.00 | cop[tikv] | table:github_events_3, index:by_time(created_at) | keep order:false
    └─HashJoin_24(Probe) | 100000000.00 | root |  | CARTESIAN inner join
      ├─IndexReader_41(Build) | 10000.00 | root |  | index:IndexFullScan_40
      │ └─IndexFullScan_40 | 10000.00 | cop[tikv] | table:github_events_2, index:by_time(created_at) | keep order:false
      └─IndexReader_29(Probe) | 10000.00 | root |  | index:IndexFullScan_28
        └─IndexFullScan_28 | 10000.00 | cop[tikv] | table:github_events_1, index:by_time(created_at) | keep order:false`,
  ),
  tidb(
    'a table of WITH',
    26_101,
    `
    HashJoin_40 | 101.00 | root |  | inner join, equal:[eq(Column#37, Column#39)]
    ├─Selection_44(Build) | 6400.00 | root |  | not(isnull(Column#39))
    │ └─CTEFullScan_45 | 8000.00 | root | CTE:with_1 AS b_1 | data:CTE_0
    └─Selection_42(Probe) | 101.00 | root |  | not(isnull(Column#37))
      └─CTEFullScan_43 | 8000.00 | root | CTE:with_1 AS a_1 | data:CTE_0
    CTE_0 | 8000.00 | root |  | Non-Recursive CTE
    └─Projection_16(Seed Part) | 8000.00 | root |  | insight.github_events.repo_id, Column#35
      └─IndexFullScan_23 | 10000.00 | cop[tikv] | table:github_events_1 | keep order:false, stats:pseudo`,
  ),
  tidb('without estimates', UNKNOWN, '    Projection_5 | N/A | root |  | 1->Column#1'),
  tidb('without operators', UNKNOWN, '    1 | 1.00 | root |  | 1->Column#1'),
  tidb('without rows', UNKNOWN, ''),

  {
    title: 'of MySQL, a join whose condition removes rows',
    database: 'mysql',
    columns: MYSQL,
    rows: [
      [1, 'SIMPLE', 'a', null, 'ALL', 1_000, '10.00', 'Using where'],
      [1, 'SIMPLE', 'b', null, 'ALL', 500, '1.00', 'Using where; Using join buffer (hash join)'],
      [1, 'SIMPLE', 'c', null, 'ref', 2, '100.00', null],
    ],
    expected: 1_000 + 100 * 500 + 500 * 2,
  },
  {
    title: 'of MySQL, a dependent subquery and a UNION',
    database: 'mysql',
    columns: MYSQL,
    rows: [
      [1, 'PRIMARY', 'a', null, 'ALL', 1_000n, '100.00', null],
      [2, 'DEPENDENT SUBQUERY', 'b', null, 'ref', 30, '100.00', null],
      [3, 'UNION', null, null, null, null, null, 'No tables used'],
      [null, 'UNION RESULT', '<union1,3>', null, 'ALL', null, null, 'Using temporary'],
    ],
    expected: 1_000 + 1_000 * 30,
  },
  {
    title: 'of MariaDB, a derived table in a join',
    database: 'mariadb',
    columns: MARIADB,
    rows: [
      [1, 'PRIMARY', '<derived2>', 'ALL', null, null, null, null, '6018', ''],
      [1, 'PRIMARY', '<derived4>', 'ref', 'key0', 'key0', '8', 'a_1.c', '10', ''],
      [4, 'DERIVED', 'github_events_1', 'index', null, 'by_repo', '132', null, '6018', 'Using index'],
      [2, 'DERIVED', 'github_events_1', 'index', null, 'by_repo', '132', null, '6018', 'Using index'],
    ],
    expected: 6_018 + 60_180 + 2 * 6_018,
  },
  {
    title: 'of MariaDB, a table without an estimate',
    database: 'mariadb',
    columns: MARIADB,
    rows: [[1, 'SIMPLE', 'github_events_1', 'ALL', null, null, null, null, null, '']],
    expected: UNKNOWN,
  },
  {
    title: 'of MySQL, in the format TREE',
    database: 'mysql',
    columns: ['EXPLAIN'],
    rows: [['-> Table scan on a  (cost=0.35 rows=1)']],
    expected: UNKNOWN,
  },
  { title: 'of MySQL, without rows', database: 'mysql', columns: MYSQL, rows: [], expected: UNKNOWN },
  { title: 'of another database', database: 'postgres', columns: MYSQL, rows: [], expected: UNKNOWN },

  duckdb('a scan below operators that return its rows', 6_000, [
    operator('PROJECTION', 0, operator('STREAMING_LIMIT', undefined, operator('FILTER', 60, SCAN))),
  ]),
  duckdb('a join on equal columns', 6_000 + 200 + 6_000, [operator('HASH_JOIN', 6_000, SCAN, SMALL_SCAN)]),
  duckdb('a cross join', 6_000 + 200 + 1_200_000, [
    operator('UNGROUPED_AGGREGATE', undefined, operator('CROSS_PRODUCT', undefined, SCAN, SMALL_SCAN)),
  ]),
  duckdb('a join on an inequality', 12_000 + 36_000_000, [operator('PIECEWISE_MERGE_JOIN', 109_027, SCAN, SCAN)]),
  duckdb('a cross join of limited tables', 12_000 + 6_000 + 10 * 6_000, [
    operator(
      'CROSS_PRODUCT',
      undefined,
      { name: 'TOP_N', children: [SCAN], extra_info: { Top: '10' } },
      operator('UNION', undefined, operator('PROJECTION', 0, SCAN), operator('SEQ_SCAN', 0)),
    ),
  ]),
  duckdb('nested cross joins', 'would read about 2.4e+42 rows', [
    operator(
      'CROSS_PRODUCT',
      undefined,
      ...[1, 2].map(() =>
        operator('CROSS_PRODUCT', undefined, ...[1, 2].map(() => operator('NESTED_LOOP_JOIN', undefined, SCAN, SCAN))),
      ),
      operator('CROSS_PRODUCT', undefined, SMALL_SCAN, operator('CROSS_PRODUCT', undefined, SCAN, SMALL_SCAN)),
      operator('SEQ_SCAN', 6_000.5),
    ),
  ]),
  duckdb('a join above a LIMIT, whose estimate is 0', 12_000 + 6_000 + 200 + 6_000 * 200, [
    operator(
      'CROSS_PRODUCT',
      undefined,
      operator('HASH_JOIN', 0, operator('LIMIT', undefined, SCAN), SCAN),
      SMALL_SCAN,
    ),
  ]),
  duckdb('a scan without an estimate', UNKNOWN, [operator('SEQ_SCAN')]),
  duckdb('a negative estimate', UNKNOWN, [operator('SEQ_SCAN', -1)]),
  duckdb('an estimate that is not a number', UNKNOWN, [operator('SEQ_SCAN', '~6,000')]),
  duckdb('two roots', UNKNOWN, [SCAN, SCAN]),
  duckdb('no root', UNKNOWN, []),
  duckdb('text', UNKNOWN, '┌───┐'),
  duckdb('another form', UNKNOWN, [{ name: 'SEQ_SCAN' }]),
];

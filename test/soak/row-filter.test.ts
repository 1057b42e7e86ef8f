import { testFilteredDefinitions } from '../engine/row-filter/test-filtered-definitions.js';
import { testFilteredRows } from '../engine/row-filter/test-filtered-rows.js';
import { record, seedOf } from './report.js';

/** The number of queries on DuckDB. The number can be increased with `FILTERED_QUERIES` for a long run. */
const QUERIES = Number(process.env.FILTERED_QUERIES ?? 5_000);

testFilteredRows({
  count: QUERIES,
  seed: seedOf('restricted rows'),
  depth: 2,
  report: (database, { queries, shapes, answered }) =>
    record(`restricted rows on ${database}`, `${queries} queries of ${shapes} shapes, ${answered} with rows`),
});
testFilteredDefinitions({
  count: QUERIES,
  seed: seedOf('restricted definitions'),
  depth: 2,
  report: (database, { queries, shapes, answered }) =>
    record(
      `restricted definitions on ${database}`,
      `${queries} requests to ${shapes} shapes of definitions, ${answered} with rows`,
    ),
});

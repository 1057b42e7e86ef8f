import { testFilteredRows } from './test-filtered-rows.js';

testFilteredRows({ count: 200, seed: 1, depth: 1 });

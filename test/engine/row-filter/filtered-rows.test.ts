import { testFilteredRows } from './test-filtered-rows.js';

testFilteredRows({ count: 300, seed: 1, depth: 1 });

import { testFilteredDefinitions } from './test-filtered-definitions.js';
import { testFilteredRows } from './test-filtered-rows.js';

testFilteredRows({ count: 200, seed: 1, depth: 1 });
testFilteredDefinitions({ count: 40, seed: 1, depth: 1 });

import { testFilteredRows } from './test-filtered-rows.js';

testFilteredRows(300, 1, () => undefined);

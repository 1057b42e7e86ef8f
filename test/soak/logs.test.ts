import { testLogs } from '../databases/duckdb/test-logs.js';

testLogs(5);

import { testCursors } from '../databases/pages/test-cursors.js';
import { seedOf } from './report.js';

testCursors(Number(process.env.CURSOR_RUNS ?? 10), seedOf('pages by cursor'));

import { describeIssueWorlds } from './issue-worlds.js';
import { onEmbeddedDatabase } from './one-database.js';

// `test/soak/tracking.test.ts` tests more worlds, on every database.
describeIssueWorlds(2, 1, onEmbeddedDatabase);

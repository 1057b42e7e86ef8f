import { onEmbeddedDatabase } from '../warehouse/test-warehouse.js';
import { describeIssueWorlds } from './issue-worlds.js';

// `test/soak/tracking.test.ts` tests more worlds, on every database.
describeIssueWorlds(2, 1, onEmbeddedDatabase);

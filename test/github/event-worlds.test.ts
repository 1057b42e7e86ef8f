import { describeEventWorlds } from './event-worlds.js';
import { onEmbeddedDatabase } from './one-database.js';

// `test/soak/tracking.test.ts` tests more worlds, on every database.
describeEventWorlds(1, 1, onEmbeddedDatabase);

import { onEmbeddedDatabase } from '../warehouse/test-warehouse.js';
import { describeEventWorlds } from './event-worlds.js';

// `test/soak/tracking.test.ts` tests more worlds, on every database.
describeEventWorlds(1, 1, onEmbeddedDatabase);

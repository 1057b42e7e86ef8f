import { onEmbeddedDatabase } from '../warehouse/test-warehouse.js';
import { describeTrackingWorlds } from './tracking-worlds.js';

// `test/soak/tracking.test.ts` tests more worlds, on every database.
describeTrackingWorlds(3, 1, onEmbeddedDatabase);

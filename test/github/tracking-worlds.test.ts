import { describeTrackingWorlds } from './tracking-worlds.js';

// `test/soak/tracking.test.ts` tests more worlds.
describeTrackingWorlds(3, 1);

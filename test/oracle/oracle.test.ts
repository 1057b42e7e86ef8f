import { testWorlds } from './test-worlds.js';

// `test/soak/oracle.test.ts` tests more worlds.
testWorlds({ worlds: 8, seed: 1, clocks: 4, parts: 5, propertyWorlds: 2 });

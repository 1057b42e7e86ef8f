import { onEmbeddedDatabase, onServerDatabase } from '../warehouse/test-warehouse.js';
import { testWorlds } from './test-worlds.js';

// A request to the embedded database needs ten times as much processor time as one to the server, so it gets fewer combinations and
// current times. `test/parity/` compares all combinations on both, and `test/soak/oracle.test.ts` tests both with more worlds.
testWorlds({ worlds: 2, seed: 1, clocks: 1, parts: 5, propertyWorlds: 2, combinations: 1, define: onEmbeddedDatabase });
testWorlds({ worlds: 8, seed: 1, clocks: 4, parts: 5, propertyWorlds: 0, define: onServerDatabase });

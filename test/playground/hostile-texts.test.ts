import { testHostileTexts } from './test-hostile-texts.js';

// Each expression alone, in a derived table, and in one of the other SELECTs. `test/soak/hostile-texts.test.ts` tests all pairs.
testHostileTexts((expression, shape) => shape === 0 || shape === 2 || expression % 8 === shape);

import { LISTS, testFunctions } from './test-functions.js';

// Each function with one of the lists of arguments. `test/soak/functions.test.ts` tests each function with all lists.
testFunctions((place, list) => place % LISTS === list);

import { testFunctions } from '../playground/test-functions.js';

testFunctions(() => true);

import { describeHostileTexts } from './hostile-texts.js';

// `test/soak/random-requests.test.ts` sends every text to every parameter.
describeHostileTexts(5);

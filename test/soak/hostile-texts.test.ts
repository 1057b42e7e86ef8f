import { testHostileTexts } from '../playground/test-hostile-texts.js';

testHostileTexts(() => true);

import { testMutations } from '../playground/test-mutations.js';
import { seedOf } from './report.js';

testMutations(Number(process.env.PLAYGROUND_MUTATIONS ?? 10_000), seedOf('mutated queries'));

import { testWorlds } from '../oracle/test-worlds.js';
import { seedOf } from './report.js';

const given = process.env.ORACLE_SEED ?? '';
const worlds = Number(process.env.ORACLE_WORLDS ?? 20);

testWorlds({
  worlds,
  seed: given === '' ? seedOf('oracle') : Number(given),
  clocks: Math.ceil(worlds / 16),
  parts: 1,
  propertyWorlds: 6,
});

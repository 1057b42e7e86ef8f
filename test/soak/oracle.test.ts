import { join } from 'node:path';
import { fillWithDemo } from '../../demo/fill-with-demo.js';
import { testDemo } from '../oracle/test-demo.js';
import { testWorlds } from '../oracle/test-worlds.js';
import { onEveryDatabase } from '../warehouse/test-warehouse.js';
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

testDemo(onEveryDatabase, async (make) => {
  const { folder, store, ...rest } = await make();
  const folders = { stagingDirectory: join(folder, 'staging'), downloadDirectory: join(folder, 'downloads') };
  await fillWithDemo(store, { ...folders, now: new Date('2026-06-30T12:00:00Z'), events: 5_000 });
  return { folder, store, ...rest };
});

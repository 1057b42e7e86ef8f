import { expect } from 'chai';
import fc from 'fast-check';
import { anySketch } from './any-world.js';
import { expectedRows } from './answer.js';
import { makeWorld } from './make-world.js';
import { requestsOf, WIDE_OPERATIONS } from './requests.js';
import { universeOf } from './universe.js';
import { openWorlds } from './world-database.js';
it('first', async () => {
  const worlds = fc.sample(anySketch, { seed: Number(process.env.SEED ?? 1), numRuns: Number(process.env.N ?? 100) }).map(makeWorld);
  let t = performance.now();
  const lap = (what: string) => { console.log(what, Math.round(performance.now() - t)); t = performance.now(); };
  const universe = universeOf(worlds);
  console.log(universe.facts.length);
  lap('universe');
  const db = await openWorlds(worlds);
  lap('import');
  const stats: Record<string, { n: number; bad: number; rows: number; ms: number }> = {};
  const check = async (request: any, now: string) => {
    const expected = expectedRows(universe, request, now);
    const t0 = performance.now();
    const got = await db.ask(request, now).catch((e) => [[String(e)]]);
    const stat = (stats[request.operation] ??= { n: 0, bad: 0, rows: 0, ms: 0 });
    stat.ms += performance.now() - t0;
    stat.n++; stat.rows += got.length;
    try { expect(got).to.deep.equal(expected); } catch (e) { if (stat.bad++ < 2) console.log(JSON.stringify(request), now, '\nGOT\n' + got.map((r) => r.join(' | ')).join('\n'), '\nEXPECTED\n' + expected.map((r) => r.join(' | ')).join('\n')); }
  };
  for (const [place, world] of worlds.entries()) for (const request of requestsOf(world, place, 2)) await check(request, world.now);
  for (const world of worlds.slice(0,10)) { await db.refresh(world.now); for (const [operation, all] of Object.entries(WIDE_OPERATIONS)) for (const parameters of all) await check({ operation, parameters }, world.now); }
  console.table(stats);
  lap(`asked`);
  await db.close();
});

import { expect } from 'chai';
import { EngineError } from '../../engine/index.js';
import { Playground } from '../../explorer/playground/playground.js';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';
import { openDemoCatalogue } from '../explorer/catalogue/demo-catalogue.js';
import { HOSTILE_TEXTS } from '../explorer/catalogue/hostile-texts.js';
import { openExplorerWarehouse } from '../explorer/explorer-warehouse.js';
import { SLOW_SQL } from '../explorer/hostile/hostile-outputs.js';
import { onBothDatabases } from '../services/mysql.js';
import { record } from './report.js';

const QUERY_LIMIT_MS = 5_000;

onBothDatabases('hostile work is bounded', (environment) => {
  it('stops slow SQL of a model at the time limit of the query', async () => {
    const warehouse = await openExplorerWarehouse(environment());
    try {
      const playground = new Playground(await warehouse.openPlayground(), TABLE_REFERENCE, QUERY_LIMIT_MS);
      for (const sql of SLOW_SQL) {
        await playground.plan(sql);
        const started = performance.now();
        const error = await playground.run(sql).catch((reason: unknown) => reason);
        const ms = Math.round(performance.now() - started);
        expect(error, sql).to.be.instanceOf(EngineError).with.property('code', 'query_timeout');
        expect(ms, sql).to.be.below(QUERY_LIMIT_MS + 1_000);
        record(`a slow query on ${warehouse.database.name}`, `stopped after ${ms} ms, limit ${QUERY_LIMIT_MS} ms`);
      }
    } finally {
      await warehouse.close();
    }
  });

  it('reads hostile questions in less than half a second of CPU time', async () => {
    const demo = await openDemoCatalogue(environment());
    let most = 0;
    try {
      for (const text of HOSTILE_TEXTS) {
        const start = process.cpuUsage();
        await demo.decline(text);
        const ms = process.cpuUsage(start).user / 1_000;
        most = Math.max(most, ms);
        expect(ms, `CPU milliseconds of ${text}`).to.be.below(500);
      }
    } finally {
      await demo.close();
    }
    record('a hostile question for the catalogue', `at most ${Math.round(most)} ms of CPU time`);
  });
});

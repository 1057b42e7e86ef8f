import { expect } from 'chai';
import { untilPlaygroundIsReady } from '../explorer/service/explorer-service.js';
import { startDemoService } from '../service/demo-service.js';
import { describeEmbedded } from '../services/server.js';
import { askPlayground } from './two-playgrounds.js';

/** A query over all triples of events, with more values than fit into a small memory. */
const VALUES = 'SELECT COUNT(DISTINCT CONCAT(a.id, b.id, c.id)) FROM github_events a, github_events b, github_events c';
/** A query that needs days, but little memory. */
const DAYS = 'SELECT COUNT(*) FROM github_events a, github_events b, github_events c WHERE a.id + b.id + c.id = 1';

describeEmbedded('the limits of a query in the playground', () => {
  for (const [limits, sql, status, detail] of [
    [
      { PLAYGROUND_SECONDS: '600', PLAYGROUND_MEMORY: '16MB' },
      VALUES,
      422,
      'The query was stopped: it needs too much memory. Join, group or sort less.',
    ],
    [
      { PLAYGROUND_SECONDS: '2', PLAYGROUND_MEMORY: '128MB' },
      DAYS,
      504,
      'The query was stopped at its time limit of 2000 ms.',
    ],
  ] as const) {
    it(`are those of ${Object.entries(limits).join(' and ').replaceAll(',', '=')}`, async () => {
      const demo = await startDemoService(limits);
      try {
        await untilPlaygroundIsReady(demo);
        const answer = await askPlayground(demo, sql);
        expect([answer.status, answer.body.detail]).to.deep.equal([status, detail]);
      } finally {
        await demo.close();
      }
    });
  }
});

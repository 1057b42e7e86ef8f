import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { pino } from 'pino';
import { createEngine, type Database, type Engine } from '../../engine/index.js';
import { Shadow } from '../../server/shadow/shadow.js';
import { definitionOf, endpointOf } from '../engine/fixtures.js';
import { openToyDatabase, type ToyDatabase } from '../engine/toy-database.js';
import { eventually } from '../services/eventually.js';

describe('the queue of the answers for a shadow database', () => {
  let database: ToyDatabase;
  let engine: Engine;
  before(async () => {
    database = await openToyDatabase();
    const endpoint = await endpointOf(definitionOf('SELECT l.id FROM loaves l ORDER BY l.id'));
    engine = createEngine({ endpoints: [endpoint], database, stopwatch: () => 0 });
  });
  after(() => database.close());

  const logger = pino({ level: 'silent' });
  const answer = async (shadow: Shadow, times: number) => {
    engine.onAnswer((computed) => shadow.offer(computed.answer));
    for (let time = 0; time < times; time += 1) {
      expect((await engine.run(engine.endpoint('toy'), { path: {}, query: {} })).rows).to.have.length.above(0);
      // The comparison begins only after the answer was sent.
      await turn();
    }
  };

  it('contains the configured sample of the answers', async () => {
    for (const [samplePercent, offered] of [
      [0, 0],
      [50, 2],
      [100, 4],
    ] as const) {
      const numbers = [0, 0.499, 0.5, 0.999];
      const random = () => numbers.shift() ?? 0;
      const open = () => Promise.reject(new Error('closed'));
      const shadow = new Shadow({ samplePercent, database, open, logger, random });
      await answer(shadow, 4);
      await eventually(() => shadow.counts.failed === offered);
      await shadow.close();
      expect(shadow.counts).to.deep.equal({ equal: 0, different: 0, undecided: 0, failed: offered, dropped: 0 });
    }
  });

  it('delays no answer while the shadow database does not answer, and has an end', async () => {
    let fail = (_error: Error) => {};
    const opened = new Promise<Database>((_resolve, reject) => {
      fail = reject;
    });
    const shadow = new Shadow({ samplePercent: 100, database, open: () => opened, logger });
    await answer(shadow, 150);
    // Two answers are being compared, and a hundred are queued.
    expect(shadow.counts).to.deep.equal({ equal: 0, different: 0, undecided: 0, failed: 0, dropped: 150 - 102 });
    const closed = shadow.close();
    fail(new Error('closed'));
    await closed;
    expect(shadow.counts).to.include({ failed: 0, dropped: 48 });
  });
});

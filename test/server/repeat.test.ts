import { expect } from 'chai';
import { pino } from 'pino';
import { repeat } from '../../server/background/repeat.js';

const NEVER_MS = 2 ** 30;

describe('repeated work', () => {
  it('never runs twice at the same time, and runs again after its end and after a failure', async () => {
    const ends: ((error?: Error) => void)[] = [];
    const lines: string[] = [];
    const work = () =>
      new Promise<void>((resolve, reject) => {
        ends.push((error) => (error === undefined ? resolve() : reject(error)));
      });
    const logger = pino({ level: 'error' }, { write: (line) => lines.push(line) });
    const repeated = repeat('counting', NEVER_MS, work, logger);
    const [first, second] = [repeated.now(), repeated.now()];
    expect(ends).to.have.length(1);
    ends[0]?.(new Error('no database'));
    await Promise.all([first, second]);
    expect(lines.map((line) => JSON.parse(line).msg)).to.deep.equal(['counting failed']);
    const third = repeated.now();
    expect(ends).to.have.length(2);
    const stopped = repeated.stop();
    ends[1]?.();
    await Promise.all([third, stopped]);
    expect(lines).to.have.length(1);
  });
});

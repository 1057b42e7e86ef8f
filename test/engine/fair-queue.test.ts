import { expect } from 'chai';
import { FairQueue } from '../../engine/index.js';

describe('a fair queue', () => {
  function queueOf(maxLength: number, ...entries: readonly string[]): FairQueue<string> {
    const queue = new FairQueue<string>(maxLength);
    for (const entry of entries) expect(queue.add(entry.charAt(0), entry)).to.equal(undefined);
    return queue;
  }

  function takeAll(queue: FairQueue<string>, isAllowed?: (caller: string) => boolean): string[] {
    const taken: string[] = [];
    for (let next = queue.take(isAllowed); next !== undefined; next = queue.take(isAllowed)) taken.push(next.entry);
    return taken;
  }

  it('takes the oldest entries of the callers alternately', () => {
    const queue = queueOf(9, 'a1', 'a2', 'a3', 'b1', 'c1', 'b2');
    expect(queue.take()).to.deep.equal({ caller: 'a', entry: 'a1' });
    expect(queue.add('d', 'd1')).to.equal(undefined);
    expect(takeAll(queue)).to.deep.equal(['b1', 'c1', 'a2', 'd1', 'b2', 'a3']);
    expect(queue.length).to.equal(0);
  });

  it('skips callers that are not allowed, who keep their place', () => {
    const queue = queueOf(9, 'a1', 'b1', 'a2', 'b2');
    expect(takeAll(queue, (caller) => caller !== 'a')).to.deep.equal(['b1', 'b2']);
    expect(takeAll(queue)).to.deep.equal(['a1', 'a2']);
  });

  it('if full, takes the place of the newest entry of the caller with most entries', () => {
    const queue = queueOf(4, 'a1', 'a2', 'a3', 'b1');
    expect(queue.add('c', 'c1')).to.equal('a3');
    expect(queue.add('d', 'd1'), 'its caller would have fewer').to.equal('a2');
    expect(queue.add('e', 'e1'), 'all have one').to.equal('e1');
    expect(queue.add('a', 'a4')).to.equal('a4');
    expect(takeAll(queue)).to.deep.equal(['a1', 'b1', 'c1', 'd1']);
  });

  it('rejects another entry of the caller with most entries', () => {
    const queue = queueOf(3, 'a1', 'a2', 'b1');
    expect(queue.add('a', 'a3')).to.equal('a3');
    expect(queue.add('b', 'b2'), 'both would have two').to.equal('b2');
    expect(takeAll(queue)).to.deep.equal(['a1', 'b1', 'a2']);
  });

  it('deletes an entry, and a caller without entries loses its place', () => {
    const queue = queueOf(9, 'a1', 'b1', 'b2');
    queue.delete('a', 'a1');
    queue.delete('a', 'a1');
    expect(queue.add('a', 'a2')).to.equal(undefined);
    expect([queue.length, takeAll(queue)]).to.deep.equal([3, ['b1', 'a2', 'b2']]);
  });
});

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { limitSignal } from '../../engine/index.js';
import { eventually } from '../services/eventually.js';

describe('a limited signal', () => {
  it('aborts after its time limit, also if only a listener refers to it and garbage is collected', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    let isAborted = false;
    const source = new AbortController();
    limitSignal([source.signal], 50).signal.addEventListener('abort', () => {
      isAborted = true;
    });
    await eventually(() => {
      collect();
      return isAborted;
    });
  });

  it('aborts with the reason of the first source that aborts, also of one that has aborted before', () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const { signal, end } = limitSignal([first.signal, second.signal], 60_000);
    expect(signal.aborted).to.equal(false);
    second.abort('second');
    first.abort('first');
    expect(signal.reason).to.equal('second');
    end();
    const late = limitSignal([first.signal]);
    expect([late.signal.aborted, late.signal.reason]).to.deep.equal([true, 'first']);
    late.end();
  });

  it('does not abort any more after its end', () => {
    const source = new AbortController();
    const { signal, end } = limitSignal([source.signal]);
    end();
    source.abort();
    expect(signal.aborted).to.equal(false);
  });
});

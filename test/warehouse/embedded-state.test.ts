import { expect } from 'chai';
import { EmbeddedState } from '../../accounts/embedded-state.js';
import { opened } from '../databases/duckdb/opened.js';
import { codeOf } from '../databases/failures.js';
import { eventually } from '../services/eventually.js';

describe('the state in a file', () => {
  it('refuses changes that would wait too long, or behind too many, and goes on', async () => {
    const database = await opened({});
    try {
      const state = new EmbeddedState(database, { timeoutMs: 100, maxWaiting: 1 });
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let ran = false;
      const late = async () => {
        ran = true;
      };
      const codes = [
        codeOf(state.transaction(() => held)),
        codeOf(state.transaction(late)),
        codeOf(state.transaction(late)),
      ];
      expect(await Promise.all(codes)).to.deep.equal(['database_unavailable', 'database_unavailable', 'overloaded']);
      release();
      await eventually(20_000, async () => (await codeOf(state.transaction(async () => undefined))) === 'no error');
      expect(ran).to.equal(false);
    } finally {
      await database.close();
    }
  });
});

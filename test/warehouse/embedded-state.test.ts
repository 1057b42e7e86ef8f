import { expect } from 'chai';
import { EmbeddedState } from '../../accounts/embedded-state.js';
import { openTestDatabase } from '../databases/duckdb/open-test-database.js';
import { codeOf } from '../databases/failures.js';
import { eventually } from '../services/eventually.js';

describe('the service state in a file', () => {
  it('rejects changes that wait too long or after too many others, and accepts later ones', async () => {
    const database = await openTestDatabase({});
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
      await eventually(async () => (await codeOf(state.transaction(async () => undefined))) === 'no error');
      expect(ran).to.equal(false);
    } finally {
      await database.close();
    }
  });
});

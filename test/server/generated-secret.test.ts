import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readOrCreateSecret } from '../../server/identity/token-rules.js';

describe('a secret that the service generates', () => {
  it('is complete and the same for all concurrent first calls', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'repo-insight-test-'));
    try {
      for (let round = 0; round < 200; round++) {
        const asked = Array.from({ length: 8 }, () =>
          readOrCreateSecret({ dataDirectory: folder }, `secret-${round}`, 'SECRET'),
        );
        const [first = '', ...others] = new Set(await Promise.all(asked));
        expect(first).to.match(/^[0-9a-f]{64}$/);
        expect(others).to.deep.equal([]);
      }
      expect(await readdir(folder)).to.have.length(200);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

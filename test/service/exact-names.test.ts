import { expect } from 'chai';
import { onBothDatabases } from '../services/mysql.js';
import { type DemoService, startDemoService } from './demo-service.js';

onBothDatabases('the name of a repository', (database) => {
  let demo: DemoService;
  before(async () => {
    demo = await startDemoService(database(), 1_000);
  });
  after(() => demo.close());

  const rowsOf = async (owner: string, repo: string) => {
    const path = [owner, repo].map(encodeURIComponent).join('/');
    const response = await demo.get(`/v1/repos/${path}/stargazers/history/`);
    const { data } = (await response.json()) as { data: { rows: readonly unknown[] } };
    return [response.status, data.rows.length > 0];
  };

  it('finds it without regard to case, but only with exactly these characters', async () => {
    const [owner = '', repo = ''] = demo.repository.split('/');
    for (const [one, other] of [
      [owner, repo],
      [owner.toUpperCase(), repo.toUpperCase()],
    ] as const) {
      expect(await rowsOf(one, other)).to.deep.equal([200, true]);
    }
    for (const more of [' ', '  ', '\t', '\u00a0', '\u0301']) {
      expect(await rowsOf(owner, `${repo}${more}`), JSON.stringify(more)).to.deep.equal([200, false]);
      expect(await rowsOf(`${owner}${more}`, repo), JSON.stringify(more)).to.deep.equal([200, false]);
    }
  });
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { timelineLine } from './named-events.js';
import { onEveryDatabase, type TestWarehouse } from './test-warehouse.js';

/** Lines about a repository: in the first, its owner is an actor, in the second, an organization. */
const linesOf = (id: number, owner: string) =>
  [
    timelineLine({ at: '2013-03-11T00:00:06Z', name: `${owner}/lib`, id, actor: owner }),
    timelineLine({ at: '2013-03-11T00:00:07Z', name: `${owner}/lib`, id, details: { organization: owner } }),
  ] as const;

onEveryDatabase('an owner without an id', (make) => {
  it('is the same after one import and after several', async () => {
    const warehouse: TestWarehouse = await make();
    try {
      const [together, actorFirst, organizationFirst] = [linesOf(7, 'ada'), linesOf(8, 'ben'), linesOf(9, 'cleo')];
      const imports = [
        [...together, actorFirst[0], organizationFirst[1]],
        [actorFirst[1], organizationFirst[0]],
      ];
      for (const [index, lines] of imports.entries()) {
        const file = join(warehouse.folder, `${index}.json`);
        await writeFile(file, `${lines.join('\n')}\n`);
        await warehouse.import([file]);
      }
      const rows = await warehouse.rows('SELECT repo_id, owner_id, owner_is_org FROM github_repos');
      const [, ...owner] = rows[0] ?? [];
      expect(rows).to.deep.equal(['7', '8', '9'].map((id) => [id, ...owner]));
    } finally {
      await warehouse.close();
    }
  });
});

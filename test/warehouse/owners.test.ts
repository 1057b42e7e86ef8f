import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { timelineLine } from './named-events.js';
import { onEveryDatabase, type TestWarehouse } from './test-warehouse.js';

const AS_ACTOR = timelineLine({ at: '2013-03-11T00:00:06Z', name: 'ada/lib', id: 7, actor: 'ada' });
const AS_ORGANIZATION = timelineLine({
  at: '2013-03-11T00:00:07Z',
  name: 'ada/lib',
  id: 7,
  details: { organization: 'ada' },
});

onEveryDatabase('an owner without an id', (make) => {
  const ownerAfter = async (...imports: readonly (readonly string[])[]) => {
    const warehouse: TestWarehouse = await make();
    try {
      for (const [index, lines] of imports.entries()) {
        const file = join(warehouse.folder, `${index}.json`);
        await writeFile(file, `${lines.join('\n')}\n`);
        await warehouse.import([file]);
      }
      return await warehouse.rows('SELECT owner_id, owner_is_org FROM github_repos WHERE repo_id = 7');
    } finally {
      await warehouse.close();
    }
  };

  it('is the same after one import and after several', async () => {
    const together = await ownerAfter([AS_ACTOR, AS_ORGANIZATION]);
    expect(await ownerAfter([AS_ACTOR], [AS_ORGANIZATION])).to.deep.equal(together);
    expect(await ownerAfter([AS_ORGANIZATION], [AS_ACTOR])).to.deep.equal(together);
  });
});

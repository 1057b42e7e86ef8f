import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { ACCOUNT, FOUND_REPOSITORIES, REPOSITORY } from '../../app-routes/lookups.js';
import { createStoredRecords } from '../../github/lookups/stored-records.js';
import { timelineLine } from '../warehouse/named-events.js';
import { type TestWarehouse, testWarehouse } from '../warehouse/test-warehouse.js';

describe('lookups of records that events name without an id', () => {
  let warehouse: TestWarehouse;
  before(async () => {
    warehouse = await testWarehouse();
    const file = join(warehouse.folder, 'events.json');
    await writeFile(file, `${timelineLine({ at: '2012-03-11T00:00:01Z', name: 'ada/lost', actor: 'ada' })}\n`);
    await warehouse.import([file]);
  });
  after(() => warehouse.close());

  it('return negative ids that match the published schemas', async () => {
    const records = createStoredRecords(warehouse.database);
    const repository = (await records.repository('ada', 'lost'))?.record;
    const account = (await records.account('ada'))?.record;
    const found = [{ id: repository?.id, fullName: 'ada/lost', defaultBranchRef: null }];
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const [schema, answer] of [
      [REPOSITORY, repository],
      [ACCOUNT, account],
      [FOUND_REPOSITORIES, found],
    ] as const) {
      expect([ajv.validate(schema, answer), ajv.errorsText()]).to.deep.equal([true, 'No errors']);
    }
    expect([repository, account].map((one) => Number(one?.id) < 0)).to.deep.equal([true, true]);
    expect(repository?.owner.id).to.equal(null);
  });
});

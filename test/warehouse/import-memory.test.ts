import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openFile } from '../../server/databases/open-warehouse.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { temporaryFolder } from './test-warehouse.js';

describe('the memory that imports into a database file need', () => {
  let folder: string;
  before(async () => {
    folder = await temporaryFolder();
  });
  after(() => rm(folder, { recursive: true }));

  /** Opens the file with a memory limit and returns the notices. */
  const open = async (memory: string, rows = 0) => {
    const notices: string[] = [];
    const settings = readSettings({ DATA_DIR: folder, DATABASE_MEMORY: memory });
    const warehouse = await openFile(settings, join(folder, 'large.duckdb'), {
      onNotice: (notice) => notices.push(notice),
    });
    try {
      await warehouse.store?.write(({ staging }) =>
        staging.run(
          `INSERT INTO github_repos (repo_id, repo_name, repo_name_lower) SELECT i, 'a/' || i, 'a/' || i FROM range(${rows}) n(i)`,
        ),
      );
    } finally {
      await warehouse.close();
    }
    return notices;
  };

  it('is reported at every start while it is more than the limit, with a value that is enough', async () => {
    expect(await open('100MB', 200_000)).to.deep.equal([]);
    const notice =
      'Imports into a database with 200000 repositories need about 102 MB of memory, but DATABASE_MEMORY is ';
    expect(await open('100MB')).to.deep.equal([`${notice}100MB. Set DATABASE_MEMORY=128MB.`]);
    expect(await open('96 MiB')).to.deep.equal([`${notice}96 MiB. Set DATABASE_MEMORY=128MB.`]);
    expect(await open('128MB')).to.deep.equal([]);
  });
});

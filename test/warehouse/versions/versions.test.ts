import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { DataVersions } from '../../../engine/index.js';
import type { Store } from '../../../warehouse/store/store.js';
import { execute } from '../../services/execute.js';
import { testFile } from '../test-store.js';
import { onEveryDatabase, type TestWarehouse } from '../test-warehouse.js';
import { openVersions } from './open-versions.js';

onEveryDatabase('the versions of tables', (make) => {
  let warehouse: TestWarehouse;

  beforeEach(async () => {
    warehouse = await make();
    await warehouse.leave();
  });
  afterEach(() => warehouse.close());

  const using = async (work: (versions: DataVersions, store: Store, notices: readonly string[]) => Promise<void>) => {
    const { versions, store, notices, close } = await openVersions(warehouse);
    try {
      await work(versions, store, notices);
    } finally {
      await close();
    }
  };

  it('are a number and a random text, the same for all tables of a commit', () =>
    using(async (versions, store) => {
      const before = await versions.confirm();
      await store.write(async (tables) => {
        await tables.insertRows('collections', [[1, 'One', 1]]);
        await tables.insertRows('collection_items', [[1, 1, 'a/b', 5, null, null]]);
      });
      const { tables } = await versions.confirm();
      const version = tables.get('collections') ?? '';
      expect(version).to.match(/^\d+\.[0-9a-z]{5,13}$/);
      const numbers = [...before.tables.values()].map((text) => Number.parseInt(text, 10));
      expect(Number.parseInt(version, 10)).to.equal(Math.max(...numbers) + 1);
      expect(tables).to.deep.equal(
        new Map([...before.tables, ['collections', version], ['collection_items', version]]),
      );
    }));

  it('are reported with the changed tables, and keep their map while nothing changes', () =>
    using(async (versions, store) => {
      const before = await versions.confirm();
      const changes: string[][] = [];
      const remove = versions.onChange((tables) => void changes.push([...tables]));
      await store.write((tables) => tables.rows('SELECT 1'));
      expect((await versions.confirm()).tables).to.equal(before.tables);
      await store.write((tables) => tables.insertRows('collections', [[1, 'One', 1]]));
      await versions.confirm();
      expect(changes).to.deep.equal([['collections']]);
      remove();
      await store.write((tables) => tables.run('DELETE FROM collections'));
      await versions.confirm();
      expect(changes).to.have.length(1);
    }));

  it('are reported to all listeners if one fails, and the failure is reported to the operator', () =>
    using(async (versions, store, notices) => {
      await versions.confirm();
      const changes: string[][] = [];
      versions.onChange(() => {
        throw new Error('out of order');
      });
      versions.onChange((tables) => void changes.push([...tables]));
      await store.write((tables) => tables.insertRows('collections', [[1, 'One', 1]]));
      await versions.confirm();
      expect(changes).to.deep.equal([['collections']]);
      expect(notices.map((notice) => notice.split('\n')[0])).to.deep.equal([
        'Work after a change of the data failed: Error: out of order',
      ]);
    }));

  it('do not change if the transaction is rolled back', () =>
    using(async (versions, store) => {
      const { tables: before } = await versions.confirm();
      const work = store.write(async (tables) => {
        await tables.insertRows('collections', [[1, 'One', 1]]);
        throw new Error('no');
      });
      expect(await work.catch(String)).to.equal('Error: no');
      expect((await versions.confirm()).tables).to.equal(before);
    }));

  it('do not change if the process is killed in the transaction', async () => {
    const read = async () => {
      let found: unknown;
      await using(async (versions) => {
        found = (await versions.confirm()).tables;
      });
      return found;
    };
    const before = await read();
    const child = startChild(warehouse, 'hang');
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await read()).to.deep.equal(before);
  });

  it('are never the same after a backup was restored and changed again', async () => {
    const add = (id: number) => {
      let version = '';
      return using(async (versions, store) => {
        await store.write((tables) => tables.insertRows('collections', [[id, 'One', 1]]));
        version = (await versions.confirm()).tables.get('collections') ?? '';
      }).then(() => version);
    };
    const restore = await backUp(warehouse);
    const lost = await add(1);
    await restore();
    const found = await add(2);
    expect(Number.parseInt(found, 10)).to.equal(Number.parseInt(lost, 10));
    expect(found).to.not.equal(lost);
  });

  it('are confirmed at once or not at all if the caller has disconnected', () =>
    using(async (versions) => {
      const error = await versions.confirm(AbortSignal.abort()).catch((reason: unknown) => reason);
      expect(error).to.include({ code: 'query_cancelled' });
      expect((await versions.confirm()).tables.size).to.be.above(10);
    }));
});

/** Saves the tables of collections and of versions. The returned function restores the tables. */
async function backUp({ folder, url }: TestWarehouse): Promise<() => Promise<unknown>> {
  if (url === undefined) {
    const file = testFile(folder);
    await copyFile(file, `${file}.backup`);
    return () => copyFile(`${file}.backup`, file);
  }
  const tables = ['collections', 'data_versions'];
  const copies = tables.flatMap((table) => [
    `CREATE TABLE ${table}_backup LIKE ${table}`,
    `INSERT INTO ${table}_backup SELECT * FROM ${table}`,
  ]);
  await execute(url, ...copies);
  return () =>
    execute(
      url,
      ...tables.flatMap((table) => [`DELETE FROM ${table}`, `INSERT INTO ${table} SELECT * FROM ${table}_backup`]),
    );
}

function startChild({ folder, url = '' }: TestWarehouse, mode: string): ChildProcessWithoutNullStreams {
  const program = fileURLToPath(new URL('./transaction-child.js', import.meta.url));
  const child = spawn(process.execPath, [program, folder, url, mode], { stdio: 'pipe' });
  child.stderr.pipe(process.stderr);
  return child;
}

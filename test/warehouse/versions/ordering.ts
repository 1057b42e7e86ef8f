import { expect } from 'chai';
import type { VersionState } from '../../../engine/index.js';
import { onEveryDatabase, type TestWarehouse } from '../test-warehouse.js';
import { type OpenVersions, openVersions } from './open-versions.js';

const READERS = 3;

/** Defines the suite with a number of reads that are checked. */
export function describeOrdering(checks: number): void {
  onEveryDatabase('a version states exactly one content', (make) => {
    let warehouse: TestWarehouse;
    let open: OpenVersions;

    before(async () => {
      warehouse = await make();
      await warehouse.leave();
      open = await openVersions(warehouse);
    });
    after(async () => {
      await open.close();
      await warehouse.close();
    });

    it(`in ${checks} reads during commits and rollbacks, if it is the same before and after a read`, async () => {
      const { database, store, versions } = open;
      const query = database.prepare('SELECT COUNT(*), COALESCE(MAX(id), 0), COALESCE(MIN(id), 0) FROM collections');
      const contents = new Map<string, string>();
      const seen: [version: string, rows: string][] = [];
      let isEnough = false;
      const versionIn = ({ tables }: VersionState) => String(tables.get('collections'));
      const write = async () => {
        contents.set(versionIn(await versions.confirm()), '1,0,0');
        for (let id = 1; !isEnough; id++) {
          await store.write((tables) => replaceCollections(tables, id));
          contents.set(versionIn(await versions.confirm()), `1,${id},${id}`);
          await store.write((tables) => failAfter(replaceCollections(tables, -id))).catch(() => undefined);
        }
      };
      const read = async () => {
        for (let count = 0; !isEnough; count++) {
          const known = count % 2 === 0 ? undefined : versions.recent();
          const before = versionIn(known ?? (await versions.confirm()));
          const { rows } = await database.query(query, [], { maxRows: 1, timeoutMs: 30_000 });
          const after = versionIn(await versions.confirm());
          if (before === after) seen.push([before, String(rows[0])]);
          isEnough ||= seen.length >= checks;
        }
      };
      await store.write((tables) => replaceCollections(tables, 0));
      await Promise.all([write(), ...Array.from({ length: READERS }, read)]);
      const wrong = seen.filter(([version, rows]) => contents.get(version) !== rows);
      expect(wrong).to.deep.equal([]);
      expect(new Set(seen.map(([version]) => version)).size).to.be.above(10);
    });
  });
}

type Tables = Parameters<Parameters<OpenVersions['store']['write']>[0]>[0];

async function replaceCollections(tables: Tables, id: number): Promise<void> {
  await tables.run('DELETE FROM collections');
  await tables.insertRows('collections', [[id, `Number ${id}`, 1]]);
}

async function failAfter(work: Promise<void>): Promise<void> {
  await work;
  throw new Error('This transaction is rolled back.');
}

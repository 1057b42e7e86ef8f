import { expect } from 'chai';
import { compareEndpoint } from '../../engine/authoring/index.js';
import { createEngine, type Engine, loadEndpoints, PATIENT_METADATA_TIMEOUT_MS } from '../../engine/index.js';
import { BAKERY } from './fixtures.js';
import { openToyDatabase, type ToyDatabase } from './toy-database.js';

describe('the comparison of two databases', () => {
  const databases: ToyDatabase[] = [];
  after(() => Promise.all(databases.map((database) => database.close())));

  async function bakery(changes?: string): Promise<Engine> {
    const { endpoints } = await loadEndpoints(BAKERY);
    const database = await openToyDatabase(changes);
    databases.push(database);
    return createEngine({
      endpoints,
      database,
      clock: () => new Date('2024-05-04T00:00:00Z'),
      stopwatch: () => 0,
      metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
    });
  }

  it('finds no difference between equal databases, for all choices and bounds', async () => {
    const { requests, rows, differences } = await compareEndpoint(await bakery(), await bakery(), 'list-loaves');
    expect(differences).to.deep.equal([]);
    expect(requests).to.be.greaterThan(10);
    expect(rows).to.be.greaterThan(requests);
  });

  it('reports the row and the column that differ', async () => {
    const other = await bakery("UPDATE loaves SET weight = 1.3 WHERE kind = 'rye' AND id = 1");
    const { differences } = await compareEndpoint(await bakery(), other, 'list-loaves');
    expect(differences[0]?.at).to.match(/^row \d, weight$/);
    expect([differences[0]?.one, differences[0]?.other]).to.deep.equal(['"1.21"', '"1.30"']);
  });

  it('reports an error of one database if the other returns an answer', async () => {
    const { differences } = await compareEndpoint(await bakery(), await bakery('DROP TABLE loaves'), 'list-loaves');
    expect(differences[0]?.at).to.equal('the error');
    expect(differences[0]?.other).to.match(/^query_failed: .*loaves/s);
  });
});

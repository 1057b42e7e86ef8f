import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { generateDemo } from '../../demo/generate-demo.js';
import { importSources } from '../../warehouse/import/import-sources.js';
import { NOW } from '../service/demo-data.js';
import { type DemoService, startDemoService } from '../service/demo-service.js';
import { onBothDatabases } from '../services/mysql.js';
import { record } from './report.js';

onBothDatabases('users and a large import', duringImport);

const EVENTS = 40_000;

function duringImport(database: () => Record<string, string>): void {
  let demo: DemoService;
  before(async () => {
    demo = await startDemoService(database());
  });
  after(() => demo.close());

  /** Sends sequential calls until the import ends. Returns the duration of each call in milliseconds. */
  const callsUntil = async (work: Promise<unknown>): Promise<number[]> => {
    let isDone = false;
    work.finally(() => {
      isDone = true;
    });
    const times: number[] = [];
    while (!isDone) {
      const action = times.length % 2 === 0 ? 'subscribe' : 'unsubscribe';
      const started = performance.now();
      const response = await demo.as('busy', `/repos/${demo.repository}/${action}/`, { method: 'PUT' });
      times.push(performance.now() - started);
      const { subscribed } = (await response.json()) as { subscribed?: number };
      expect([response.status, subscribed]).to.deep.equal([200, Number(action === 'subscribe')]);
    }
    return times.sort((a, b) => a - b);
  };

  it('do not wait for each other', async () => {
    const folders = {
      directory: join(demo.folder, 'large'),
      stagingDirectory: join(demo.folder, 'staging'),
      downloadDirectory: join(demo.folder, 'downloads'),
    };
    await mkdir(folders.directory);
    const now = new Date(NOW);
    const { files } = await generateDemo({ directory: folders.directory, now, seed: 2, events: EVENTS });
    const started = performance.now();
    const work = importSources(demo.store, files, { ...folders, now });
    const times = await callsUntil(work);
    const whole = performance.now() - started;
    const { events, files: imported } = await work;
    expect(imported.filter(({ state }) => state !== 'imported')).to.deep.equal([]);
    expect(events).to.be.above(EVENTS / 2);
    expect(times.length).to.be.above(5);
    const p95 = times[Math.floor(times.length * 0.95)] ?? 0;
    record(`users and a large import, on ${demo.database.name}`, `${times.length} calls, p95 ${Math.round(p95)} ms`);
    // If calls waited for the import, they would take most of its duration.
    expect(p95, `p95 of ${times.length} calls`).to.be.below(Math.max(2_000, whole / 3));
  });
}

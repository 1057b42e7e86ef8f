import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createEngine, formatProblem, formatWarning, lintEndpoint, loadEndpointFiles } from '../../engine/index.js';
import { PRIVATE_DATA } from '../../warehouse/rules/private-data.js';
import { readTableFacts } from '../../warehouse/schema/table-facts.js';
import { type TestWarehouse, testWarehouse } from '../warehouse/test-warehouse.js';
import { FILE_MISTAKES } from './mistakes/file-mistakes.js';
import { SILENT_MISTAKES } from './mistakes/silent-mistakes.js';
import { SQL_MISTAKES } from './mistakes/sql-mistakes.js';
import { type Mistake, VALID } from './mistakes/valid-definition.js';

describe('each mistake of a first-time author', () => {
  let warehouse: TestWarehouse;
  let folder: string;

  before(async () => {
    warehouse = await testWarehouse();
    folder = await mkdtemp(join(tmpdir(), 'mistakes-'));
  });

  after(async () => {
    await warehouse.close();
    await rm(folder, { recursive: true });
  });

  /** Returns what `endpoint check` and `endpoint test` report about a definition, without the path of its folder. */
  async function reportsOf(yaml: string): Promise<string[]> {
    const file = join(folder, 'stars.yaml');
    await writeFile(file, yaml);
    const { endpoints, problems } = await loadEndpointFiles([file], PRIVATE_DATA);
    const tables = await readTableFacts();
    const engine = createEngine({ endpoints, database: warehouse.database, stopwatch: () => performance.now() });
    await engine.lookUp({ withinMs: 60_000 });
    const all = [...problems, ...engine.broken().flatMap((broken) => broken.problems)].map(formatProblem);
    const isBroken = engine.broken().length > 0;
    const warnings = isBroken ? [] : endpoints.flatMap((endpoint) => lintEndpoint(endpoint, tables)).map(formatWarning);
    return [...all, ...warnings].map((text) => text.replaceAll(`${file}:`, ''));
  }

  it('is not in the definition that the mistakes change', async () => {
    expect(await reportsOf(VALID)).to.deep.equal([]);
  });

  for (const { name, edits, report } of [...FILE_MISTAKES, ...SQL_MISTAKES, ...SILENT_MISTAKES]) {
    it(`is reported once, with its place and the fix: ${name}`, async () => {
      const yaml = edits.reduce(edit, VALID);
      if (report === '') { console.log(`## ${name}\n${(await reportsOf(yaml)).join('\n')}`); return; }
      expect(await reportsOf(yaml)).to.deep.equal([report]);
    });
  }
});

function edit(yaml: string, [text, replacement]: Mistake['edits'][number]): string {
  expect(yaml, `the definition contains ${text}`).to.include(text);
  return yaml.replace(text, () => replacement);
}

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { lintEndpoint } from '../../engine/authoring/index.js';
import { createEngine, formatProblem, formatWarning, loadEndpoints, type TableFacts } from '../../engine/index.js';
import { checkDialect } from '../../server/settings/definitions.js';
import { PRIVATE_DATA } from '../../warehouse/rules/private-data.js';
import { readTableFacts } from '../../warehouse/schema/table-facts.js';
import { type TestWarehouse, testWarehouse } from '../warehouse/test-warehouse.js';
import { FILE_MISTAKES } from './mistakes/file-mistakes.js';
import { SILENT_MISTAKES } from './mistakes/silent-mistakes.js';
import { SQL_MISTAKES } from './mistakes/sql-mistakes.js';
import { type Mistake, VALID } from './mistakes/valid-definition.js';

const ROOT = new URL('../../../', import.meta.url);

describe('each mistake of a first-time author', () => {
  let warehouse: TestWarehouse;
  let root: string;
  let tables: TableFacts;

  before(async () => {
    warehouse = await testWarehouse();
    root = await mkdtemp(join(tmpdir(), 'mistakes-'));
    tables = await readTableFacts();
  });

  after(async () => {
    await warehouse.close();
    await rm(root, { recursive: true });
  });

  /** Returns the problems from `endpoint check`. If the command finds no problem, returns the errors of the database. */
  async function reportsOf(yaml: string, other?: string): Promise<string[]> {
    const folder = await mkdtemp(join(root, 'definitions-'));
    await writeFile(join(folder, 'stars.yaml'), yaml);
    if (other !== undefined) await writeFile(join(folder, 'other.yaml'), other);
    const { database } = warehouse;
    const { endpoints, problems } = checkDialect(database, await loadEndpoints(folder, { privateData: PRIVATE_DATA }));
    const warnings = endpoints.flatMap((endpoint) => lintEndpoint(endpoint, tables));
    const engine = createEngine({ endpoints, database, stopwatch: () => 0 });
    if (problems.length + warnings.length === 0) await engine.lookUp({ withinMs: 60_000 });
    const rejected = engine.broken().flatMap((broken) => broken.problems);
    const texts = [...problems.map(formatProblem), ...warnings.map(formatWarning), ...rejected.map(formatProblem)];
    return texts.map((text) => text.replace(`${folder}/stars.yaml:`, '').replaceAll(`${folder}/`, ''));
  }

  it('is not in the definition that the mistakes change', async () => {
    expect(await reportsOf(VALID)).to.deep.equal([]);
  });

  it('is not in the definition of the README', async () => {
    const readme = await readFile(new URL('README.md', ROOT), 'utf8');
    expect(await reportsOf(/```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? '')).to.deep.equal([]);
  });

  for (const { name, edits, other, report } of [...FILE_MISTAKES, ...SQL_MISTAKES, ...SILENT_MISTAKES]) {
    it(`is reported once, with its place and the fix: ${name}`, async () => {
      const yaml = edits.reduce(edit, VALID);
      expect(await reportsOf(yaml, other)).to.deep.equal([report]);
    });
  }
});

function edit(yaml: string, [text, replacement]: Mistake['edits'][number]): string {
  expect(yaml, `the definition contains ${text}`).to.include(text);
  return yaml.replace(text, () => replacement);
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { withFixtures } from '../../cli/commands/endpoint/verify/with-fixtures.js';
import {
  formatDefinitionText,
  lintEndpoint,
  verifyEndpoint,
  writeDefinitionText,
} from '../../engine/authoring/index.js';
import { DEFINITIONS_FOLDER } from '../../engine/http/package-root.js';
import { type Endpoint, formatProblem, loadEndpoints } from '../../engine/index.js';
import { PRIVATE_DATA } from '../../warehouse/rules/private-data.js';
import { readTableFacts } from '../../warehouse/schema/table-facts.js';
import { readDocument } from '../docs/documents.js';
import { contentOf } from './endpoint-content.js';

/** The tests of all definitions of the service are in one suite, because loading these definitions takes seconds. */
describe('the included definitions', () => {
  let endpoints: readonly Endpoint[];
  before(async () => {
    const loaded = await loadEndpoints(DEFINITIONS_FOLDER, { privateData: PRIVATE_DATA });
    expect(loaded.problems.map(formatProblem)).to.deep.equal([]);
    endpoints = loaded.endpoints;
    expect(endpoints).to.have.length(46);
  });

  it('are in the table of docs/api.md if they have no path', () => {
    const listed = readDocument('docs/api.md')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => line.split('|')[1]?.match(/[a-z-]+/g) ?? []);
    const names = endpoints.map(({ definition }) => definition).filter(({ path }) => path === undefined);
    expect(names.map(({ name }) => name).filter((name) => !listed.includes(name))).to.deep.equal([]);
  });

  it('pass their fixtures', async () => {
    const passed = new Map<string, number>();
    const stopwatch = () => 0;
    const clock = () => new Date(0);
    await withFixtures(endpoints, async (fixtures) => {
      for (const endpoint of endpoints.filter(({ definition }) => definition.fixtures.length > 0)) {
        const { ok, name, checks } = await verifyEndpoint(undefined, endpoint, { clock, stopwatch, fixtures });
        expect(ok, JSON.stringify(checks.filter((check) => !check.ok))).to.equal(true);
        passed.set(name, checks.length);
      }
    });
    expect(Object.fromEntries(passed)).to.deep.equal({
      'collections-by-growth': 5,
      'star-movers': 2,
      'changes-of-repositories': 3,
      'collections-growth-history': 4,
      'list-repos-of-collection': 4,
      'list-collections': 1,
      'collection-overview': 4,
      'collection-stars-history': 3,
      'collection-repo-ranking-by-issues': 1,
      'collection-repo-ranking-by-stars': 1,
      'issue-creators-history': 1,
      'pull-request-creators-history': 1,
      'list-countries-of-stargazers': 2,
      'data-coverage': 4,
      'data-event-types': 1,
      'data-gaps': 6,
      'data-shares': 3,
      'person-activity': 4,
      'person-overview': 4,
      'person-repositories': 3,
      'compare-stargazers-by-age': 2,
      'compare-stargazers-history': 4,
      'compare-repositories': 6,
      'repository-activity': 9,
      'repository-overview': 7,
      'stargazers-history': 3,
      'list-trending-repos': 2,
      'collection-languages': 2,
      'person-languages': 1,
      'contributor-retention': 2,
      'repository-hours': 2,
      'pull-request-lead-times': 2,
      'pull-request-outcomes': 1,
      'repository-contributors': 2,
      'contribution-concentration': 3,
      'collection-people': 2,
      'owner-repositories': 3,
    });
  });

  it('have no warnings', async () => {
    const tables = await readTableFacts();
    expect(endpoints.flatMap((endpoint) => lintEndpoint(endpoint, tables))).to.deep.equal([]);
  });

  it('are expanded by endpoint show: its output is formatted and defines the same endpoint', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'repo-insight-expanded-'));
    for (const endpoint of endpoints) {
      const text = await writeDefinitionText(endpoint.expanded);
      expect(await formatDefinitionText('one.yaml', text)).to.deep.equal({ text });
      await writeFile(join(folder, `${endpoint.definition.name}.yaml`), text);
    }
    const shown = await loadEndpoints(folder, { privateData: PRIVATE_DATA });
    await rm(folder, { recursive: true });
    expect(shown.problems.map(formatProblem)).to.deep.equal([]);
    const byName = (one: Endpoint, other: Endpoint) => (one.definition.name < other.definition.name ? -1 : 1);
    expect([...shown.endpoints].sort(byName).map(contentOf)).to.deep.equal([...endpoints].sort(byName).map(contentOf));
  });
});

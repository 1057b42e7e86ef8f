import { basename } from 'node:path';
import { expect } from 'chai';
import { DefinitionLoader, type EndpointTrial, type LiveState, nextDefinitions } from '../../../engine/index.js';
import { inFolder } from '../fixtures.js';

const NOTHING: LiveState = { endpoints: [], broken: [], outdated: [], canaries: [], paused: new Map() };
const VALID: EndpointTrial = { broken: new Map(), unchecked: new Set() };
const NOW = new Date('2026-01-02T03:04:05Z');

const definition = (name: string, path: string, id = 1) => `name: ${name}
path: /v1/${path}/
summary: Loaves
columns: [{ col: id, data_type: BIGINT, nullable: false, description: Number }]
sql: SELECT ${id} AS id
`;

type Files = Readonly<Record<string, string>>;

/** Returns the definitions that are served after each state of the folder. */
async function serve(states: readonly Files[], trialOf = (_: LiveState) => VALID): Promise<object[]> {
  const results: object[] = [];
  let before = NOTHING;
  for (const files of states) {
    const loaded = await inFolder(files, (folder) => new DefinitionLoader([folder]).load());
    // Each state is in a separate folder. The path is replaced, because a file is identified by its path.
    const named = {
      endpoints: loaded.endpoints.map((one) => ({ ...one, file: basename(one.file) })),
      broken: loaded.broken.map((one) => ({ ...one, file: basename(one.file) })),
    };
    const after = nextDefinitions({ before, loaded: named, trial: trialOf({ ...NOTHING, ...named }), now: NOW });
    results.push({
      served: after.endpoints.map(({ definition: { name, path, sql }, file }) => `${file} ${name} ${path} ${sql}`),
      outdated: after.outdated.map(
        ({ endpoint, problems: [problem] }) => `${endpoint.definition.name}: ${problem?.message}`,
      ),
      broken: after.broken.map(({ name, problems: [problem] }) => `${name}: ${problem?.message}`),
    });
    before = after;
  }
  return results;
}

describe('what is served after a load', () => {
  const one = { 'a.yaml': definition('a', 'one') };

  it('is the last good version of a broken file, also if the file was renamed', async () => {
    const broken = 'name: a\npath: /v1/one/\nsummary: [';
    const served = { served: ['a.yaml a /v1/one/ SELECT 1 AS id'], broken: [] };
    const [, ...after] = await serve([
      one,
      { 'a.yaml': broken },
      { 'b.yaml': broken },
      { 'b.yaml': definition('a', 'one', 2) },
    ]);
    const message = 'a: not YAML: unexpected end of the stream within a flow collection: close the brace or bracket';
    expect(after).to.deep.equal([
      { ...served, outdated: [message] },
      { ...served, outdated: [message] },
      { served: ['b.yaml a /v1/one/ SELECT 2 AS id'], outdated: [], broken: [] },
    ]);
  });

  it('does not contain a removed file', async () => {
    const [, after] = await serve([{ ...one, 'b.yaml': definition('b', 'two') }, one]);
    expect(after).to.deep.equal({ served: ['a.yaml a /v1/one/ SELECT 1 AS id'], outdated: [], broken: [] });
  });

  it('never has two definitions with one name or path: a last good version keeps them', async () => {
    const before = { ...one, 'b.yaml': definition('b', 'two'), 'c.yaml': definition('c', 'three') };
    const [, after] = await serve([
      before,
      // b gets the path of a, and c gets the name of b.
      { 'a.yaml': 'name: [', 'b.yaml': definition('b', 'one', 2), 'c.yaml': definition('d', 'two', 3) },
    ]);
    expect(after).to.deep.equal({
      served: [
        'a.yaml a /v1/one/ SELECT 1 AS id',
        'b.yaml b /v1/two/ SELECT 1 AS id',
        'c.yaml c /v1/three/ SELECT 1 AS id',
      ],
      outdated: [
        'a: not YAML: unexpected end of the stream within a flow collection: close the brace or bracket',
        'b: this path is still used by the last good version of a.yaml, which has problems',
        'c: this path is still used by the last good version of b.yaml, which has problems',
      ],
      broken: [],
    });
  });

  it('is broken for a new file with the name of a last good version', async () => {
    const [, after] = await serve([one, { 'a.yaml': 'name: [', 'b.yaml': definition('a', 'other') }]);
    expect(after).to.deep.include({
      served: ['a.yaml a /v1/one/ SELECT 1 AS id'],
      broken: ['a: this name is still used by the last good version of a.yaml, which has problems'],
    });
  });

  it('is the last good version while the database cannot check the new one, and the new one without a last good version', async () => {
    const changed = { 'a.yaml': definition('a', 'one', 2), 'b.yaml': definition('b', 'two', 2) };
    const isFirst = (state: LiveState) => state.endpoints.length === 1;
    const unchecked = (state: LiveState) => ({
      broken: new Map(),
      unchecked: new Set(isFirst(state) ? [] : state.endpoints),
    });
    const [, after] = await serve([one, changed], unchecked);
    expect(after).to.deep.equal({
      served: ['a.yaml a /v1/one/ SELECT 1 AS id', 'b.yaml b /v1/two/ SELECT 2 AS id'],
      outdated: ['a: the database did not answer, so this version is not checked yet; the service tries again'],
      broken: [],
    });
  });
});

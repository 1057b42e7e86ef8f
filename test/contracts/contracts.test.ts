import { expect } from 'chai';
import { type ContractChange, EFFECTS, formatDifference } from '../../engine/http/contract/change.js';
import { compareContracts } from '../../engine/http/contract/compare-contracts.js';
import { type Contract, contractOf } from '../../engine/http/contract/contract.js';
import { endpointOf } from '../engine/fixtures.js';
import { EARLIER, PAIRS } from './pairs.js';

const TODAY = '2026-11-23';

describe('the comparison of two definitions', () => {
  for (const { name, both = [], edits, changes } of PAIRS) {
    it(`classifies every change: ${name}`, async () => {
      const earlier = edit(EARLIER, both);
      const [before, after] = [await contract(earlier), await contract(edit(earlier, edits))];
      const found = compareContracts([before], [after], TODAY);
      expect(found.map(written)).to.deep.equal(changes);
      expect(new Set(found.map(({ endpoint }) => endpoint)).size).to.be.at.most(1);
    });
  }

  it('has pairs for every effect', () => {
    expect(PAIRS.length).to.be.at.least(40);
    const effects = new Set(PAIRS.flatMap(({ changes }) => changes.map((change) => change.split(' ')[0])));
    expect([...effects].sort()).to.deep.equal([...EFFECTS].sort());
  });
});

describe('the comparison of two folders of definitions', () => {
  let old: Contract;
  let other: Contract;
  before(async () => {
    old = await contract(EARLIER);
    other = { ...old, name: 'other', path: '/v1/other/{oven}/' };
  });

  const changesOf = (before: readonly Contract[], after: readonly Contract[]) =>
    compareContracts(before, after, TODAY).map((change) => `${change.endpoint}: ${written(change)}`);

  it('finds added and removed endpoints, and lists the most severe changes first', () => {
    const changed = { ...other, texts: { ...other.texts, summary: 'Other' } };
    const added = { ...old, name: 'added', path: '/v1/added/{oven}/' };
    expect(changesOf([old, other], [added, changed])).to.deep.equal([
      'list-loaves: breaking endpoint removed: all its requests fail',
      'added: compatible endpoint added: the other endpoints are not affected',
      'other: cosmetic summary changed: only the documentation changes',
    ]);
  });

  it('allows to remove an endpoint on the day of its announced end, and not before', () => {
    const ending = (sunset: string) => changesOf([{ ...old, deprecated: '2026-01-01', sunset }, other], [other]);
    expect(ending(TODAY)).to.deep.equal([
      'list-loaves: compatible endpoint removed: its announced end, 2026-11-23, has passed',
    ]);
    expect(ending('2026-11-24')).to.deep.equal([
      'list-loaves: breaking endpoint removed: all its requests fail before its announced end, 2026-11-24',
    ]);
  });

  it('recognizes a renamed endpoint by its path, or without a path by its content', () => {
    expect(changesOf([old, other], [{ ...old, name: 'loaves' }, other])).to.deep.equal([
      'loaves: breaking name renamed: list-loaves → loaves; requests with the earlier name fail',
    ]);
    const { path: _, ...pathless } = old;
    const [one, two] = [
      { ...pathless, path: undefined },
      { ...pathless, path: undefined, name: 'two' },
    ];
    expect(changesOf([one], [two])).to.deep.equal([
      'two: breaking name renamed: list-loaves → two; requests with the earlier name fail',
    ]);
    expect(changesOf([one], [{ ...two, columns: [] }])).to.deep.equal([
      'list-loaves: breaking endpoint removed: all its requests fail',
      'two: compatible endpoint added: the other endpoints are not affected',
    ]);
  });

  it('compares only what both sides contain', () => {
    const outside = { ...old, inside: undefined };
    const changed: Contract = {
      ...old,
      inside: { ...(old.inside as NonNullable<Contract['inside']>), sql: 'SELECT 1' },
    };
    expect(changesOf([outside], [changed])).to.deep.equal([]);
  });

  it('formats no control characters and no long values', () => {
    const name = `bad\u001b[31m${'x'.repeat(200)}`;
    const [change] = compareContracts([old], [{ ...old, name }], TODAY);
    expect(change && formatDifference(change)).to.equal(
      `name renamed: list-loaves → bad\ufffd[31m${'x'.repeat(112)}…; requests with the earlier name fail`,
    );
  });
});

/** Many pairs start with the same definition, so each definition is loaded once. */
function contract(yaml: string): Promise<Contract> {
  const known = contracts.get(yaml) ?? endpointOf(yaml).then(contractOf);
  contracts.set(yaml, known);
  return known;
}

const contracts = new Map<string, Promise<Contract>>();

function edit(text: string, edits: readonly (readonly [string, string])[]): string {
  return edits.reduce((edited, [from, to]) => {
    if (!edited.includes(from)) throw new Error(`the text to replace does not exist: ${from}`);
    return edited.replace(from, () => to);
  }, text);
}

function written(change: ContractChange): string {
  return `${change.effect} ${formatDifference(change)}`;
}

import { type ContractChange, type Difference, EFFECTS } from './change.js';
import { compareContract, isSamePath } from './compare-contract.js';
import type { Contract } from './contract.js';

/**
 * Compares two states of a set of endpoints. Changes are sorted by severity, the most severe first, then by name. `today` is the day of the
 * comparison (`YYYY-MM-DD`): the removal of an endpoint after its announced end is compatible.
 */
export function compareContracts(
  before: readonly Contract[],
  after: readonly Contract[],
  today: string,
): ContractChange[] {
  const pairs = pairUp(before, after);
  const known = new Set(pairs.flatMap(({ old, current }) => [old, current]));
  const changes = [
    ...pairs.flatMap(({ old, current }) => named(current, compareContract(old, current))),
    ...before.filter((old) => !known.has(old)).flatMap((old) => named(old, [removalOf(old, today)])),
    ...after.filter((current) => !known.has(current)).flatMap((current) => named(current, [ADDITION])),
  ];
  const rankOf = ({ effect }: ContractChange) => EFFECTS.indexOf(effect);
  return changes.sort((a, b) => rankOf(a) - rankOf(b) || compareTexts(a.endpoint, b.endpoint));
}

interface Pair {
  readonly old: Contract;
  readonly current: Contract;
}

/** Pairs contracts with the same name, then renamed ones: those with the same path, or with the same content. */
function pairUp(before: readonly Contract[], after: readonly Contract[]): Pair[] {
  const byName = new Map(after.map((current) => [current.name, current]));
  const pairs = before.flatMap((old) => {
    const current = byName.get(old.name);
    return current === undefined ? [] : [{ old, current }];
  });
  const names = new Set(pairs.map(({ old }) => old.name));
  const added = after.filter(({ name }) => !names.has(name));
  for (const old of before.filter(({ name }) => !names.has(name))) {
    const current = added.find((one) => isRenamed(old, one));
    if (current === undefined) continue;
    pairs.push({ old, current });
    added.splice(added.indexOf(current), 1);
  }
  return pairs;
}

function isRenamed(old: Contract, current: Contract): boolean {
  if (old.path !== undefined && current.path !== undefined) return isSamePath(old.path, current.path);
  return old.path === current.path && contentOf(old) === contentOf(current);
}

function contentOf({ params, pagination, columns, inside }: Contract): string {
  return JSON.stringify([params, pagination, columns, inside?.sql]);
}

function named({ name: endpoint }: Contract, differences: readonly Difference[]): ContractChange[] {
  return differences.map((difference) => ({ endpoint, ...difference }));
}

function removalOf({ sunset }: Contract, today: string): Difference {
  const removed = { action: 'removed', place: '' } as const;
  if (sunset === undefined) return { effect: 'breaking', ...removed, reason: 'all its requests fail' };
  if (sunset <= today) return { effect: 'compatible', ...removed, reason: `its announced end, ${sunset}, has passed` };
  return { effect: 'breaking', ...removed, reason: `all its requests fail before its announced end, ${sunset}` };
}

const ADDITION: Difference = {
  effect: 'compatible',
  action: 'added',
  place: '',
  reason: 'the other endpoints are not affected',
};

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

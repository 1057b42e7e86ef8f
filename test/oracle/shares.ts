import type { Participation } from './creators.js';
import { formatDecimal } from './decimal.js';
import { dayOf } from './times.js';
import { compare, groupBy, type Universe } from './universe.js';
import type { Profile } from './world.js';

/** A group of people, with its size and its share of the displayed groups. */
export interface Share {
  readonly group: string;
  readonly count: string;
  readonly percentage: string;
}

/**
 * Computes the number of distinct people in each group who participated from day `from` to day `to`. The groups are ordered by size, then
 * by name.
 */
export function computeShares(
  universe: Universe,
  participations: readonly Participation[],
  {
    from,
    to,
    groupOf,
    excludeUnknown,
  }: {
    readonly from: string;
    readonly to: string;
    readonly groupOf: (profile: Profile | undefined) => string;
    readonly excludeUnknown: boolean;
  },
): Share[] {
  const inRange = participations.filter(({ at }) => dayOf(at) >= from && dayOf(at) <= to);
  const people = [...new Set(inRange.map(({ user }) => user))];
  const groups = [...groupBy(people, (user) => groupOf(universe.users.get(user)?.profile))]
    .filter(([group]) => !excludeUnknown || group !== UNKNOWN)
    .sort(([a, own], [b, other]) => other.length - own.length || compare(a, b));
  const sum = groups.reduce((total, [, own]) => total + own.length, 0);
  return groups.map(([group, own]) => ({
    group,
    count: String(own.length),
    percentage: formatDecimal(BigInt(own.length), BigInt(sum), 4),
  }));
}

export function countryOf(profile: Profile | undefined): string {
  const code = profile?.country ?? '';
  return ['', 'N/A', 'UND'].includes(code) ? UNKNOWN : code;
}

const UNKNOWN = 'UNKNOWN';

import type { Deed } from './creators.js';
import { decimal } from './decimal.js';
import { dayOf } from './times.js';
import { compare, grouped, type Universe } from './universe.js';
import type { Profile } from './world.js';

/** A group of people, how many, and their share among the groups shown. */
export interface Share {
  readonly group: string;
  readonly count: string;
  readonly percentage: string;
}

/** Distinct people with a deed on a day from `from` to `to`, by group; the largest first, then by the group's name. */
export function shares(
  universe: Universe,
  deeds: readonly Deed[],
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
  const shown = deeds.filter(({ at }) => dayOf(at) >= from && dayOf(at) <= to);
  const people = [...new Set(shown.map(({ user }) => user))];
  const groups = [...grouped(people, (user) => groupOf(universe.users.get(user)?.profile))]
    .filter(([group]) => !excludeUnknown || group !== UNKNOWN)
    .sort(([a, own], [b, other]) => other.length - own.length || compare(a, b));
  const sum = groups.reduce((total, [, own]) => total + own.length, 0);
  return groups.map(([group, own]) => ({
    group,
    count: String(own.length),
    percentage: decimal(BigInt(own.length), BigInt(sum), 4),
  }));
}

export function countryOf(profile: Profile | undefined): string {
  const code = profile?.country ?? '';
  return ['', 'N/A', 'UND'].includes(code) ? UNKNOWN : code;
}

const UNKNOWN = 'UNKNOWN';

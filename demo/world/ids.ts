import { at, type Random } from './random.js';

/** Id counters that start near GitHub's values of late 2024. Ids increase with every call. */
export interface Ids {
  event(): number;
  issue(): number;
  pullRequest(): number;
  comment(): number;
  review(): number;
  push(): number;
  release(): number;
  sha(): string;
}

export function createIds(random: Random): Ids {
  const counter = (start: number, gap: number) => {
    let id = start;
    return () => {
      id += 1 + random.below(gap);
      return id;
    };
  };
  return {
    event: counter(44_000_000_000, 900),
    issue: counter(2_680_000_000, 1800),
    pullRequest: counter(2_200_000_000, 1500),
    comment: counter(2_490_000_000, 600),
    review: counter(2_450_000_000, 900),
    push: counter(21_300_000_000, 600),
    release: counter(186_000_000, 300),
    sha: () => hex(random) + hex(random) + hex(random) + hex(random) + hex(random),
  };
}

const FOUR_DIGITS = Array.from({ length: 0x1_0000 }, (_, number) => number.toString(16).padStart(4, '0'));

function hex(random: Random): string {
  const bits = random.int32();
  return at(FOUR_DIGITS, bits >>> 16) + at(FOUR_DIGITS, bits & 0xffff);
}

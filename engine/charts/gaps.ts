import { usualStep } from './incomplete-times.js';
import type { Point } from './read-lines.js';

const MIN_POINTS = 4;
/** The share of steps between points that must be about equal in a regular series. */
const REGULAR_SHARE = 0.75;
/** How much equal steps may differ: months have 28 to 31 days. */
const TOLERANCE = 0.2;
const GAP_FACTOR = 1.6;

/**
 * Adds an empty point where a regular series has no row, so that the line is interrupted. A series that never decreases
 * is treated as a running total: a missing row means that the value did not change, so the line continues.
 */
export function interruptAtGaps(points: readonly Point[]): readonly Point[] {
  if (points.length < MIN_POINTS || isRunningTotal(points)) return points;
  const steps = points.slice(1).map(([x], index) => x - (points[index]?.[0] ?? x));
  const step = usualStep(points.map(([x]) => x));
  const regular = steps.filter((one) => Math.abs(one - step) <= TOLERANCE * step);
  if (step <= 0 || regular.length < REGULAR_SHARE * steps.length) return points;
  return points.flatMap((point, index) => {
    const gap = index > 0 && (steps[index - 1] ?? 0) > GAP_FACTOR * step;
    return gap ? [[point[0] - step, null] as Point, point] : [point];
  });
}

/** Whether the values never decrease. */
export function isRunningTotal(points: readonly Point[]): boolean {
  let last = -Infinity;
  for (const [, y] of points) {
    if (y === null) continue;
    if (y < last) return false;
    last = y;
  }
  return true;
}

/** Whether both neighbours of a point are missing or empty, so that no line reaches it. */
export function isIsolated(points: readonly Point[], index: number): boolean {
  const hasValue = (at: number) => (points[at]?.[1] ?? null) !== null;
  return hasValue(index) && !hasValue(index - 1) && !hasValue(index + 1);
}

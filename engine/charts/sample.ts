import type { Point } from './read-lines.js';

/** The maximum number of points of a line. More points would not be visible. */
export const MAX_POINTS = 2000;

/**
 * Reduces a long line to the lowest and the highest point of each part, so that no extreme value disappears. One gap
 * per part is kept too.
 */
export function samplePoints(points: readonly Point[]): readonly Point[] {
  if (points.length <= MAX_POINTS) return points;
  const parts = Math.floor(MAX_POINTS / 3);
  const size = points.length / parts;
  return Array.from({ length: parts }, (_, part) =>
    extremes(points.slice(Math.floor(part * size), Math.floor((part + 1) * size))),
  ).flat();
}

/** Returns the lowest, the highest and the first empty point, in their original order. */
function extremes(points: readonly Point[]): Point[] {
  let [low, high, empty]: (Point | undefined)[] = [];
  for (const point of points) {
    const [, y] = point;
    if (y === null) empty ??= point;
    else {
      if (y < (low?.[1] ?? Infinity)) low = point;
      if (y > (high?.[1] ?? -Infinity)) high = point;
    }
  }
  const kept = new Set([low, high, empty].filter((point) => point !== undefined));
  return points.filter((point) => kept.has(point));
}

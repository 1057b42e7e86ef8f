import type { TextRow } from '../../answers/cells/cells.js';
import { listRowDifferences } from '../../answers/cells/row-difference.js';
import type { DefinitionPath } from '../../definitions/definition-source.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import { type Failure, placeOf } from './check-list.js';

/** The maximum number of differences of one check. */
const MAX_DIFFERENCES = 100;

/**
 * Compares rows with the expected rows of the example or fixture at `path`. Returns undefined if they are equal, or if
 * no rows are expected.
 */
export function findRowsFailure(
  endpoint: Endpoint,
  path: DefinitionPath,
  expected: readonly TextRow[] | undefined,
  got: readonly TextRow[],
): Failure | undefined {
  if (expected === undefined) return undefined;
  const differences = listRowDifferences(expected, got, MAX_DIFFERENCES);
  const [first] = differences;
  if (first === undefined) return undefined;
  const [, number, column = ''] = /^row (\d+)(?:, (.*))?$/.exec(first.at) ?? [];
  const row = expected[Number(number) - 1];
  const cell = row !== undefined && column in row ? [column] : [];
  const place = [...path, 'rows', ...(row === undefined ? [] : [Number(number) - 1]), ...cell];
  return {
    expected: `${first.at}: ${first.one}`,
    got: first.other,
    differences,
    place: placeOf(endpoint.problem(place, '')),
  };
}

import type { Endpoint } from '../endpoint/endpoint.js';
import { rowLimits } from '../endpoint/row-limit.js';
import { formatPlace, type Problem } from '../problem.js';
import { writeTraced } from '../query/traced-text.js';
import { formatChoices } from '../template/template-variants.js';

/**
 * Finds the variants whose pages have no cursors, because their order does not allow them. Notes are not problems:
 * pages can still be requested by number.
 */
export function findCursorNotes(endpoint: Endpoint): Problem[] {
  const { pages } = rowLimits(endpoint.definition, new Set()).ending;
  const notes = endpoint.query.variants.flatMap((variant) => {
    const { sql, markers, templateOffset } = writeTraced(variant.pieces, () => 1);
    const isClock = (marker: string) => markers.find(({ name }) => name === marker)?.output.clock !== undefined;
    const read = pages?.read(sql, isClock);
    if (read === undefined || !('reason' in read)) return [];
    const when = formatChoices(variant.choices);
    const message = `pages have no cursor: ${read.reason}${when === '' ? '' : ` (when ${when})`}`;
    return [endpoint.problem(['sql'], message, { at: templateOffset(read.at) })];
  });
  return [...new Map(notes.map((note) => [formatPlace(note), note])).values()];
}

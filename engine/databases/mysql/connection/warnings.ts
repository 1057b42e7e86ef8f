import { EngineError } from '../../interface/errors.js';

/**
 * The number of warnings that a server keeps for `requireCompleteResult`. The server counts further warnings but does
 * not keep them.
 */
export const MAX_WARNINGS = 1024;

/**
 * Throws if the warnings of the last statement say that its result is incomplete: without an error, a server truncates a text that
 * is too long for it, or returns NULL instead. Throws `query_failed` if a number did not fit the type of a CAST. Ignores warnings
 * about values that the dialect defines, such as a division by zero or a text that is not a number.
 */
export async function requireCompleteResult(run: (sql: string) => Promise<unknown[][]>): Promise<void> {
  // TiDB has no LIMIT here. It keeps at most 65,535 warnings.
  const warnings = await run('SHOW WARNINGS');
  const truncation = warnings.find(([, code]) => TRUNCATIONS.has(Number(code)));
  if (truncation !== undefined) {
    throw new Error(`The server did not return the complete result: ${truncation[2]} (${truncation[1]}).`);
  }
  if (warnings.some(([, code]) => OVERFLOWS.has(Number(code)))) {
    throw new EngineError('query_failed', 'A number is out of range: it does not fit the type of its CAST.');
  }
}

/**
 * Warnings that mean an incomplete result: a text that GROUP_CONCAT truncated; a text above `max_allowed_packet`; on
 * MariaDB, a recursion or LIMIT ROWS EXAMINED that reached its limit; bytes that are not valid text; characters that
 * another character set does not have.
 */
const TRUNCATIONS = new Set([1260, 1301, 1931, 1300, 1977, 3854]);

/**
 * A number was replaced by the largest one of its type. MariaDB has a separate code for integers, and TiDB has a
 * separate code for all types.
 */
const OVERFLOWS = new Set([1264, 1690, 1916]);

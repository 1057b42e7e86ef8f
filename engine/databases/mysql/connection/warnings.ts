import { EngineError } from '../../interface/errors.js';

/**
 * The number of warnings that a server stores for `requireCompleteResult`. The server counts further warnings but does
 * not store them.
 */
export const MAX_WARNINGS = 1024;

/**
 * Throws if a warning of the last statement means that its result is incomplete: a server truncates a text that is too
 * long, or returns NULL instead, without an error. Throws `query_failed` if a number did not fit the type of a CAST.
 * Ignores warnings about values that the dialect defines, such as a division by zero or a text that is not a number.
 */
export async function requireCompleteResult(run: (sql: string) => Promise<unknown[][]>): Promise<void> {
  // TiDB does not support LIMIT here. TiDB stores at most 65,535 warnings.
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
 * Warnings that mean an incomplete result: GROUP_CONCAT truncated a text; a text exceeded `max_allowed_packet`; on
 * MariaDB, a recursion or LIMIT ROWS EXAMINED reached its limit; bytes were not valid text; another character set did
 * not contain a character.
 */
const TRUNCATIONS = new Set([1260, 1301, 1931, 1300, 1977, 3854]);

/**
 * Warnings that a number was replaced by the largest number of its type. MariaDB has an additional code for integers,
 * and TiDB for all types.
 */
const OVERFLOWS = new Set([1264, 1690, 1916]);

import { EngineError } from '../../../engine/interface/errors.js';

/** Warnings that a server keeps for `requireWhole`; more are only counted. */
export const MAX_WARNINGS = 1024;

/**
 * Throws where the last statement of a connection has a warning that its rows are not what was asked for: a server cuts a
 * text that is too long for it, or gives NULL in its place, without an error. What the dialect says of values, such as of a
 * quotient by zero or of a text that is no number, is a warning to the server, too, and none here. Throws `query_failed` where
 * a number was too large for a CAST.
 */
export async function requireWhole(ask: (sql: string) => Promise<unknown[][]>): Promise<void> {
  // TiDB knows no LIMIT here; it keeps 65,535 at most.
  const warnings = await ask('SHOW WARNINGS');
  const cut = warnings.find(([, code]) => NOT_WHOLE.has(Number(code)));
  if (cut !== undefined) throw new Error(`The server did not give the whole result: ${cut[2]} (${cut[1]}).`);
  if (warnings.some(([, code]) => NOT_FITTING.has(Number(code)))) {
    throw new EngineError('query_failed', 'A number is out of range: it does not fit the type that CAST gives it.');
  }
}

/**
 * Cut by GROUP_CONCAT; larger than `max_allowed_packet`; MariaDB's ends of a recursion and of LIMIT ROWS EXAMINED; bytes that
 * are no text, or characters that another character set lacks.
 */
const NOT_WHOLE = new Set([1260, 1301, 1931, 1300, 1977, 3854]);

/** The largest number of a type came in place of a larger one; MariaDB has a warning of its own for whole numbers, TiDB for all. */
const NOT_FITTING = new Set([1264, 1690, 1916]);

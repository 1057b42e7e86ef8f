import { QUERY_FAULTS } from '../../query-faults.js';

/**
 * Explains an error of a server that the SQL of a query causes, with the message that all databases use. The number and the state of the
 * error are kept. Returns other errors unchanged.
 */
export function explainQueryError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { errno, sqlState, code } = error as Error & { errno?: number; sqlState?: string; code?: string };
  const [pattern, write] = EXPLANATIONS[errno ?? 0] ?? [];
  const match = pattern?.exec(error.message);
  if (write === undefined || match === null || match === undefined) return error;
  const message = write(match[1] ?? '');
  return Object.assign(new Error(message, { cause: error }), { errno, code, sqlState, sqlMessage: message });
}

/** The messages of MySQL, MariaDB and TiDB by their numbers, and their explanations. */
const EXPLANATIONS: Readonly<Record<number, readonly [RegExp, (name: string) => string]>> = {
  1052: [/^Column '([^']+)'/, QUERY_FAULTS.ambiguousColumn],
  1054: [/^Unknown column '([^']+)'/, QUERY_FAULTS.unknownColumn],
  1055: [/'(?:[^']*\.)?([^'.]+)' (?:isn't in GROUP BY|which is not functionally dependent)/, QUERY_FAULTS.notGrouped],
  1066: [/^Not unique table\/alias: '([^']+)'/, QUERY_FAULTS.equalNames],
  1109: [/^Unknown table '([^']+)'/, QUERY_FAULTS.unknownAlias],
  1111: [/./, QUERY_FAULTS.nestedAggregate],
  1146: [/^Table '(?:[^']*\.)?([^'.]+)' doesn't exist/, QUERY_FAULTS.unknownTable],
  1222: [/./, QUERY_FAULTS.differentColumns],
  1241: [/should contain 1 column/, QUERY_FAULTS.severalColumns],
  1242: [/./, QUERY_FAULTS.severalRows],
  1248: [/./, QUERY_FAULTS.unnamedTable],
  1267: [/./, QUERY_FAULTS.mixedCollations],
  1270: [/./, QUERY_FAULTS.mixedCollations],
  1271: [/./, QUERY_FAULTS.mixedCollations],
  1264: [/out of range/i, QUERY_FAULTS.outOfRange],
  1690: [/out of range/i, QUERY_FAULTS.outOfRange],
};

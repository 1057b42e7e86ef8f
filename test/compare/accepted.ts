import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import type { Difference, DifferenceKind } from './compare-suite.js';

/** A kind of difference that is known and documented. */
interface AcceptedDifference {
  readonly kinds: readonly DifferenceKind[];
  /** Patterns for the message and for the SQL of a difference. Both must match; a pattern that is absent matches everything. */
  readonly message?: string;
  readonly sql?: string;
  /** The identifiers of the differences, which `npm run compare` prints. */
  readonly ids?: readonly string[];
  readonly reason: string;
  /** The chapter of docs/sql-dialect.md that describes the difference; absent for a difference of the suites or a fault of a server. */
  readonly chapter?: string;
}

/** Returns the reason why a difference is accepted; undefined for a new difference. */
export type ReasonOf = (difference: Difference) => string | undefined;

/** Reads the list of accepted differences. */
export function readList(): readonly AcceptedDifference[] {
  return load(readFileSync(FILE, 'utf8')) as AcceptedDifference[];
}

/** Returns a function that finds the reason why a difference is accepted. */
export function readAccepted(): ReasonOf {
  const rules = readList().map((rule) => ({
    ...rule,
    message: new RegExp(rule.message ?? '', 'is'),
    sql: new RegExp(rule.sql ?? '', 'is'),
  }));
  return ({ kind, message, sql, id }) =>
    rules.find(
      (rule) =>
        rule.kinds.includes(kind) &&
        rule.message.test(message) &&
        rule.sql.test(sql) &&
        (rule.ids?.includes(id) ?? true),
    )?.reason;
}

const FILE = fileURLToPath(new URL('../../../test/compare/accepted.yaml', import.meta.url));

import { type DuckDBPreparedStatement, DuckDBTypeId } from '@duckdb/node-api';
import type { BoundValue } from '../../../engine/index.js';

/**
 * Gives the statement its values. Text that DuckDB would cut without a word, such as a time that meets a DATE, is an
 * error: MySQL would compare all of it.
 */
export function bind(statement: DuckDBPreparedStatement, values: readonly BoundValue[]): void {
  if (statement.parameterCount > values.length) {
    throw new Error(`The query has ${statement.parameterCount} parameters; ${values.length} values came.`);
  }
  for (let index = 1; index <= statement.parameterCount; index++) {
    bindOne(statement, index, values[index - 1] ?? null);
  }
}

/** Whole numbers are always bound as one type: with another type the statement would be planned anew. */
function bindOne(statement: DuckDBPreparedStatement, index: number, value: BoundValue): void {
  if (value === null) statement.bindNull(index);
  else if (typeof value === 'string') bindText(statement, index, value);
  else if (typeof value === 'boolean') statement.bindBigInt(index, value ? 1n : 0n);
  else if (typeof value === 'bigint') {
    if (BigInt.asIntN(64, value) === value) statement.bindBigInt(index, value);
    else statement.bindHugeInt(index, value);
  } else if (Number.isSafeInteger(value)) statement.bindBigInt(index, BigInt(value));
  else statement.bindDouble(index, value);
}

function bindText(statement: DuckDBPreparedStatement, index: number, value: string): void {
  const type = statement.parameterTypeId(index);
  if (type === DuckDBTypeId.DATE && HAS_TIME.test(value)) {
    throw new Error(`The value ${value} of parameter ${index} meets a DATE: expected a date without a time.`);
  }
  if (WHOLE_NUMBERS.has(type) && FRACTION.test(value)) {
    throw new Error(`The value ${value} of parameter ${index} meets a whole number: expected one without a fraction.`);
  }
  statement.bindVarchar(index, value);
}

const HAS_TIME = /\d[ T]\d?[\d:]*[1-9]/;
const FRACTION = /^\s*[-+]?\d*\.\d*[1-9]/;
const WHOLE_NUMBERS = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UBIGINT,
]);

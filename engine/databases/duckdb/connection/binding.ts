import type { DuckDBPreparedStatement } from '@duckdb/node-api';
import type { BoundValue } from '../../interface/database.js';
import { DuckDBTypeId } from '../driver/node-api.js';

/**
 * Binds the values of a statement. Throws if DuckDB would truncate a text without an error, for example a date with a
 * time that is compared with a DATE. MySQL compares the whole text.
 */
export function bind(statement: DuckDBPreparedStatement, values: readonly BoundValue[]): void {
  if (statement.parameterCount > values.length) {
    throw new Error(`The query needs ${statement.parameterCount} values, got ${values.length}.`);
  }
  for (let index = 1; index <= statement.parameterCount; index++) {
    bindValue(statement, index, values[index - 1] ?? null);
  }
}

/** Binds all integers with the same type, because DuckDB plans the statement again when a type changes. */
function bindValue(statement: DuckDBPreparedStatement, index: number, value: BoundValue): void {
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
    throw new Error(`Parameter ${index} is compared with a DATE: expected a date without a time, got ${value}.`);
  }
  if (INTEGER_TYPES.has(type) && FRACTION.test(value)) {
    throw new Error(`Parameter ${index} is compared with an integer: expected an integer, got ${value}.`);
  }
  statement.bindVarchar(index, value);
}

const HAS_TIME = /\d[ T]\d?[\d:]*[1-9]/;
const FRACTION = /^\s*[-+]?\d*\.\d*[1-9]/;
const INTEGER_TYPES = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UBIGINT,
]);

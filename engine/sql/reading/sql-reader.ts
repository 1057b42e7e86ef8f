import { findForbiddenSign } from './lexemes.js';
import { findPrivateReads, type PrivateData } from './private-data.js';
import { inspectQuery, type QueryFindings } from './sql-findings.js';
import { NOT_A_SELECT, readStatement } from './statement.js';

/** The findings about one SQL text; if the text cannot be parsed, the reason, and the offsets of the mistake. */
export type SqlReading =
  | { readonly findings: QueryFindings }
  | { readonly message: string; readonly start: number; readonly end: number };

/** Parses and inspects one SQL text. */
export type SqlReader = (sql: string) => SqlReading;

/**
 * Creates a reader that parses equal texts only once. Create one reader per load of the definitions. With
 * `privateData`, the reader rejects reads of private data.
 */
export function createSqlReader(privateData?: PrivateData): SqlReader {
  const readings = new Map<string, SqlReading>();
  return (sql) => {
    const known = readings.get(sql);
    if (known !== undefined) return known;
    const reading = readSql(sql, privateData);
    readings.set(sql, reading);
    return reading;
  };
}

function readSql(sql: string, privateData: PrivateData | undefined): SqlReading {
  const sign = findForbiddenSign(sql);
  if (sign !== undefined) return { ...sign, end: sign.start };
  const reading = readStatement(sql);
  if ('message' in reading) return reading;
  const findings = inspectQuery(reading.tree);
  if (findings === undefined) return { message: NOT_A_SELECT, start: 0, end: 0 };
  const reads = privateData === undefined ? [] : findPrivateReads(reading.tree, privateData);
  return { findings: { ...findings, rejections: [...findings.rejections, ...reads] } };
}

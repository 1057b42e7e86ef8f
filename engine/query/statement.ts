import type { BoundValue } from '../interface/database.js';
import type { ParameterValues } from '../parameters/parameter-values.js';
import type { Output } from '../template/template-output.js';
import type { Piece } from '../template/template-variants.js';

/** SQL in the MySQL dialect with `:p1…:pN`, and the values that the markers stand for, in their order. */
export interface Statement {
  readonly sql: string;
  readonly outputs: readonly Output[];
}

/** How many values an array brings; single values count 1. */
export type LengthOf = (output: Output) => number;

/** Writes markers for values. Equal outputs share their markers, so that `GROUP BY` sees equal expressions. */
export function writeStatement(pieces: readonly Piece[], lengthOf: LengthOf): Statement {
  const outputs = new Map<string, { output: Output; markers: string }>();
  let count = 0;
  const texts = pieces.map((piece) => {
    if ('text' in piece) return piece.text;
    const { output } = piece;
    const known = outputs.get(output.key);
    if (known !== undefined) return known.markers;
    const length = lengthOf(output);
    const markers = Array.from({ length }, (_, index) => typed(`:p${count + index + 1}`, output)).join(', ');
    count += length;
    outputs.set(output.key, { output, markers });
    return markers;
  });
  return { sql: tidy(texts.join('')), outputs: [...outputs.values()].map(({ output }) => output) };
}

/** A text of the clock is a date from the start, so that no database has to find out at every place. */
function typed(marker: string, { sqlType }: Output): string {
  return sqlType === undefined ? marker : `CAST(${marker} AS ${sqlType})`;
}

/** The values of a statement's markers. */
export function bindValues(statement: Statement, values: ParameterValues, now: string): BoundValue[] {
  const bound: BoundValue[] = [];
  for (const output of statement.outputs) {
    const value = output.read(values, now);
    if (typeof value === 'object' && value !== null) bound.push(...value);
    else bound.push(value);
  }
  return bound;
}

/** A semicolon at the end is habit; after it no LIMIT could be added. */
function tidy(sql: string): string {
  return sql.trim().replace(/;$/, '').trimEnd();
}

/** One marker of a text made for checking, where each occurrence has its own number. */
export interface Marker {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly output: Output;
  readonly at: number;
}

/** A text made for checking: every character of it leads back to the template. */
export interface TracedText {
  readonly sql: string;
  readonly markers: readonly Marker[];
  /** The place in the template of a character of `sql`. */
  templateOffset(offset: number): number;
}

export function writeTraced(pieces: readonly Piece[], lengthOf: LengthOf): TracedText {
  const markers: Marker[] = [];
  const starts: { start: number; piece: Piece }[] = [];
  let sql = '';
  for (const piece of pieces) {
    starts.push({ start: sql.length, piece });
    if ('text' in piece) {
      sql += piece.text;
      continue;
    }
    for (let index = 0; index < lengthOf(piece.output); index += 1) {
      if (index > 0) sql += ', ';
      const name = `p${markers.length + 1}`;
      markers.push({ name, start: sql.length, end: sql.length + name.length + 1, output: piece.output, at: piece.at });
      sql += `:${name}`;
    }
  }
  const templateOffset = (offset: number) => {
    const { start, piece } = starts.findLast((entry) => entry.start <= offset) ?? {
      start: 0,
      piece: { text: '', at: 0 },
    };
    return 'text' in piece ? piece.at + Math.min(offset - start, Math.max(0, piece.text.length - 1)) : piece.at;
  };
  return { sql, markers, templateOffset };
}

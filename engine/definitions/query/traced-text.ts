import type { Output } from '../template/template-output.js';
import type { Piece } from '../template/template-variants.js';
import type { LengthOf } from './compiled-query.js';

/** One placeholder of a traced text. Each occurrence of a value has a separate placeholder. */
export interface Marker {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly output: Output;
  /** The offset in the template. */
  readonly at: number;
}

/** The SQL of a variant for checks, with the position of every character in the template. */
export interface TracedText {
  readonly sql: string;
  readonly markers: readonly Marker[];
  /** Converts the offset of a character in `sql` to its offset in the template. */
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

import { MySQL } from '@codemirror/lang-sql';
import { classHighlighter, highlightTree } from '@lezer/highlight';

/** A piece of SQL with its CSS class, which is empty for text without a color. */
export interface SqlPiece {
  readonly from: number;
  readonly text: string;
  readonly className: string;
}

/** Splits SQL into pieces with the CSS classes of the editor. */
export function highlightSql(sql: string): readonly SqlPiece[] {
  const pieces: SqlPiece[] = [];
  let end = 0;
  const add = (from: number, to: number, className: string) => {
    if (to > from) pieces.push({ from, text: sql.slice(from, to), className });
  };
  highlightTree(MySQL.language.parser.parse(sql), classHighlighter, (from, to, className) => {
    add(end, from, '');
    add(from, to, className);
    end = to;
  });
  add(end, sql.length, '');
  return pieces;
}

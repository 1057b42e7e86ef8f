import type { DataSource } from '../../databases/interface/data-source.js';
import type { Cell, ResultSet } from '../../databases/interface/database.js';

/** The columns of a notice query after the column `notice`. These columns form an entry of `sources`. */
export const SOURCE_COLUMNS = ['type', 'source', 'subject', 'starts', 'ends', 'share'] as const;

/**
 * Reads the rows of a notice that have a `type`. Throws if the result has other columns, or if a cell is not a valid
 * time, share or name.
 */
export function readSources({ columns, rows }: ResultSet): DataSource[] {
  if (columns.length <= 1) return [];
  const names = columns.map(({ name }) => name);
  if (names.slice(1).join() !== SOURCE_COLUMNS.join()) {
    throw new Error(`expected the columns notice, ${SOURCE_COLUMNS.join(', ')}, got ${names.join(', ')}`);
  }
  return rows.flatMap(([, type = null, source = null, subject = null, starts = null, ends = null, share = null]) =>
    type === null
      ? []
      : [
          {
            type: readName('type', type),
            source: readName('source', source),
            subject: subject === null ? null : readName('subject', subject),
            starts: starts === null ? null : readTime('starts', starts),
            ends: ends === null ? null : readTime('ends', ends),
            share: share === null ? null : readShare(share),
          },
        ],
  );
}

function readName(column: string, cell: Cell): string {
  if (typeof cell === 'string' && cell !== '') return cell;
  throw wrongCell(column, 'a text', cell);
}

/** Converts a time such as `2026-01-01` or `2026-01-01 12:00:00` to ISO 8601. */
function readTime(column: string, cell: Cell): string {
  const [, day, time = '00:00:00'] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.0+)?Z?)?$/.exec(String(cell)) ?? [];
  const text = `${day}T${time}`;
  const date = new Date(`${text}Z`);
  if (!Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)) return `${text}Z`;
  throw wrongCell(column, 'a time such as 2026-01-01 12:00:00', cell);
}

function readShare(cell: Cell): number {
  const share = /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(String(cell)) ? Number(cell) : Number.NaN;
  if (Number.isFinite(share)) return share;
  throw wrongCell('share', 'a number from 0', cell);
}

function wrongCell(column: string, expected: string, got: Cell): Error {
  return new Error(`column ${column} of a notice: expected ${expected}, got ${JSON.stringify(String(got))}`);
}

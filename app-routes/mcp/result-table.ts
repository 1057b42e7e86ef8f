import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ColumnPresentation } from '../../engine/charts/column-presentation.js';
import { withPresentation } from '../../engine/http/envelopes/query-envelope-schema.js';
import type { JsonSchema } from '../../engine/http/json-schema.js';
import type { JsonValue, NativeRow } from '../../engine/index.js';

/** Rows, with the facts that a reader needs to interpret them. Times are ISO 8601 in UTC. */
export interface ResultTable {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly NativeRow[];
  /** Whether the query has more rows than `rows`. */
  readonly truncated: boolean;
  readonly notices: readonly string[];
  /** The time of the newest data; null if unknown. */
  readonly dataAsOf: string | null;
  readonly stale: boolean;
}

export interface ResultColumn extends ColumnPresentation {
  readonly name: string;
  /** The SQL type, for example BIGINT. */
  readonly type: string;
}

/** The rows of a result for a language model, and the number of rows before they were limited. */
export interface LimitedTable extends ResultTable {
  readonly allRows: number;
}

/** Far fewer rows than in an answer of the service, because a model reads every row. */
export const MAX_ROWS = 200;
/** The maximum length of the rows as JSON. If even the first row is longer, the result has no rows. */
const MAX_CHARACTERS = 40_000;

/** Limits a table. `hint` returns how the reader can get the omitted rows, if `kept` rows remain. */
export function limitTable(table: ResultTable, hint: (kept: number) => string): LimitedTable {
  const { rows, notices } = table;
  const kept = countKept(rows);
  if (kept === rows.length) return { ...table, allRows: rows.length };
  const part = kept === 0 ? 'No row is' : `Only the first ${kept} of ${rows.length} rows are`;
  const notice = `${part} part of this result, because a result has at most ${MAX_ROWS} rows and ${MAX_CHARACTERS} characters. ${hint(kept)}`;
  return { ...table, rows: rows.slice(0, kept), truncated: true, notices: [...notices, notice], allRows: rows.length };
}

function countKept(rows: readonly NativeRow[]): number {
  let characters = 0;
  for (const [index, row] of rows.entries()) {
    characters += JSON.stringify(row).length;
    if (index >= MAX_ROWS || characters > MAX_CHARACTERS) return index;
  }
  return rows.length;
}

/** Returns a table as structured content. */
export function tableContent({ columns, rows, truncated, notices, dataAsOf, stale }: ResultTable) {
  return { columns, rows, row_count: rows.length, truncated, notices, data_as_of: dataAsOf, stale };
}

/** The schemas of the members of `tableContent`; `row` is the schema of one row. */
export function tableProperties(row: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return {
    columns: {
      type: 'array',
      items: withPresentation({
        type: 'object',
        required: ['name', 'type'],
        properties: { name: { type: 'string' }, type: { type: 'string', description: 'The SQL type.' } },
      }),
    },
    rows: { type: 'array', items: row },
    row_count: { type: 'integer', minimum: 0, description: 'The number of rows of this result.' },
    truncated: { type: 'boolean', description: 'Whether more rows exist than this result contains.' },
    notices: { type: 'array', items: { type: 'string' }, description: 'What a reader must know about this result.' },
    data_as_of: { type: ['string', 'null'], description: 'Time of the newest data; null if it is not known.' },
    stale: { type: 'boolean', description: 'Whether the data are older than their limit, or of unknown age.' },
  };
}

/** The schema of a row with any columns and no declared types. Numbers that JSON represents exactly are numbers; all other values are text. */
export const ANY_ROW: JsonSchema = {
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'null'] },
};

/** Creates the result of a tool: the structured content, and the same facts as text for clients without structured content. */
export function tableResult(
  content: Readonly<Record<string, unknown>>,
  table: LimitedTable,
  heading = '',
): CallToolResult {
  const text = [heading, summaryOf(table), ...table.notices.map((notice) => `Notice: ${notice}`), csvOf(table)];
  return {
    content: [{ type: 'text', text: text.filter((line) => line !== '').join('\n') }],
    structuredContent: content,
  };
}

function summaryOf({ rows, truncated, dataAsOf, stale }: LimitedTable): string {
  const count = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}${truncated ? ' (truncated: more rows exist)' : ''}`;
  return `${count}; data as of ${dataAsOf ?? 'an unknown time'}${stale ? ' (stale)' : ''}.`;
}

/** Writes the rows as CSV (RFC 4180), which needs far fewer tokens than JSON, because it contains each column name only once. */
function csvOf({ columns, rows }: ResultTable): string {
  const names = columns.map(({ name }) => name);
  const lines = [names.map(csvCell), ...rows.map((row) => names.map((name) => csvCell(row[name] ?? null)))];
  return lines.map((cells) => cells.join(',')).join('\n');
}

/** Writes a cell. An empty text is quoted, to distinguish it from NULL. */
function csvCell(value: JsonValue): string {
  if (value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text === '' || /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

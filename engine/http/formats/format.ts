/** The formats of answers with the rows of a definition. Each is a value of `?format=` and a suffix of paths. */
export const FORMATS = ['json', 'csv', 'ndjson', 'arrow'] as const;

export type Format = (typeof FORMATS)[number];

/** A format that contains only rows: the metadata of the answer are in headers, and in a closing record where possible. */
export type ClosedFormat = Exclude<Format, 'json'> | 'csv-safe';

/** A format with or without its closing record. */
export type RowFormat = ClosedFormat | `${Exclude<ClosedFormat, 'arrow'>}-unclosed`;

/** The media types that clients can name in `Accept`. The first type of each format is used in responses. */
export const MEDIA_TYPES: Readonly<Record<Format, readonly [string, ...string[]]>> = {
  json: ['application/json'],
  csv: ['text/csv'],
  ndjson: ['application/x-ndjson', 'application/ndjson'],
  arrow: ['application/vnd.apache.arrow.stream'],
};

/** The header `Content-Type` of each format. */
export const CONTENT_TYPES: Readonly<Record<RowFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  'csv-unclosed': 'text/csv; charset=utf-8; header=present',
  'csv-safe': 'text/csv; charset=utf-8; header=present',
  'csv-safe-unclosed': 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
  'ndjson-unclosed': 'application/x-ndjson; charset=utf-8',
  arrow: 'application/vnd.apache.arrow.stream',
};

/** Returns the header `Content-Disposition`. Names of definitions contain only letters, digits, `-` and `_`. */
export function dispositionOf(name: string, format: RowFormat): string {
  return `attachment; filename="${name}.${format.split('-')[0]}"`;
}

/** Returns the format without its closing record. In Arrow, the closing record is not among the rows, so the format stays the same. */
export function withoutClosing(format: ClosedFormat): RowFormat {
  return format === 'arrow' ? format : `${format}-unclosed`;
}

export function isRowFormat(representation: string): representation is RowFormat {
  return Object.hasOwn(CONTENT_TYPES, representation);
}

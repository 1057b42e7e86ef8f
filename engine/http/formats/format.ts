import Negotiator from 'negotiator';
import type { Cell } from '../../databases/interface/database.js';
import { EngineError } from '../../databases/interface/errors.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import { createParameterReader, type RawParameters } from '../../definitions/parameters/parameter-values.js';
import { remember } from '../remember.js';
import type { AnswerFacts } from './answer-facts.js';

/** The formats of answers with the rows of a definition. Each is a value of `?format=` and a suffix of paths. */
export const FORMATS = ['json', 'csv', 'ndjson', 'arrow'] as const;

export type Format = (typeof FORMATS)[number];

/** A format that contains only rows: the metadata of the answer are in headers, and in a closing record where possible. */
export type ClosedFormat = Exclude<Format, 'json' | 'csv'> | CsvFormat;

/** `safe`: no cell is a formula. `labels`: the header has the labels of the columns instead of their names. */
type CsvFormat = `csv${'' | '-safe'}${'' | '-labels'}`;

/** A format with or without its closing record. */
export type RowFormat = ClosedFormat | `${Exclude<ClosedFormat, 'arrow'>}-unclosed`;

/** The media types that clients can name in `Accept`. The first type of each format is used in responses. */
export const MEDIA_TYPES: Readonly<Record<Format, readonly [string, ...string[]]>> = {
  json: ['application/json'],
  csv: ['text/csv'],
  ndjson: ['application/x-ndjson', 'application/ndjson'],
  arrow: ['application/vnd.apache.arrow.stream'],
};

const CSV = 'text/csv; charset=utf-8; header=present';

/** The header `Content-Type` of each format. */
export const CONTENT_TYPES: Readonly<Record<RowFormat, string>> = {
  csv: CSV,
  'csv-unclosed': CSV,
  'csv-safe': CSV,
  'csv-safe-unclosed': CSV,
  'csv-labels': CSV,
  'csv-labels-unclosed': CSV,
  'csv-safe-labels': CSV,
  'csv-safe-labels-unclosed': CSV,
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

/**
 * Returns the format that the header `Accept` prefers (RFC 9110, section 12.5.1). JSON takes precedence over formats
 * that match equally well, so that browsers and programs that accept everything get JSON. A header without a supported
 * format is ignored, which the RFC allows, because programs that ask for `text/plain` also expect JSON.
 */
export function acceptedFormat(accept: string | undefined): Format {
  if (accept === undefined || accept === '*/*' || accept.length > MAX_LENGTH) return 'json';
  return negotiate(accept);
}

/** Longer headers are ignored. Clients that name formats send short headers, and parsing takes longer for long ones. */
const MAX_LENGTH = 1_000;

const FORMAT_OF_TYPE: ReadonlyMap<string, Format> = new Map([
  ...FORMATS.flatMap((format) => MEDIA_TYPES[format].map((type) => [type, format] as const)),
  // A browser that accepts only HTML gets JSON, which it shows as text.
  ['text/html', 'json'],
]);
const TYPES = [...FORMAT_OF_TYPE.keys()];

/** Matches media type parameters except `q`. Parameters such as `charset` do not select a format. */
const OTHER_PARAMETERS = /;\s*(?!q\s*=)[\w-]+\s*=\s*(?:"[^"]*"|[^;,]*)/gi;

/** Results are cached, because clients send few different headers, and each request needs the result up to two times. */
const negotiate = remember<Format>(
  (accept) => {
    const negotiator = new Negotiator({ headers: { accept: accept.replace(OTHER_PARAMETERS, '') } });
    return FORMAT_OF_TYPE.get(negotiator.mediaType(TYPES) ?? '') ?? 'json';
  },
  { maxResults: 500, maxLength: MAX_LENGTH },
);

/** The parts of a request, other than the query string, that select a format. */
export interface AskedFormat {
  /** The format that the header `Accept` prefers. */
  readonly accepted: Format;
  /** The format in the suffix of the path, such as `.csv`. */
  readonly suffix: Format | undefined;
}

/** Separates a suffix such as `.csv` from a path or a name. A slash at the end of a path is kept. */
export function splitSuffix(text: string): { readonly text: string; readonly suffix: Format } | undefined {
  const [, start, suffix, end] = SUFFIX.exec(text) ?? [];
  return start === undefined ? undefined : { text: `${start}${end}`, suffix: suffix as Format };
}

const SUFFIX = new RegExp(`^(.*[^/])\\.(${FORMATS.join('|')})(/?)$`, 's');

/** The query parameters of all definitions that select the format. */
export const FORMAT_PARAMETERS = {
  format: {
    in: 'query',
    type: 'string',
    enum: FORMATS,
    description: 'The format of the answer. It takes precedence over the header Accept.',
  },
  csv_safe: {
    in: 'query',
    type: 'boolean',
    default: false,
    description:
      'Whether texts that a spreadsheet would execute as a formula get an apostrophe in front of them. It only affects CSV.',
  },
  csv_labels: {
    in: 'query',
    type: 'boolean',
    default: false,
    description:
      'Whether the header of CSV has the labels of the columns, with their units, instead of their names. It only affects CSV.',
  },
  closing_record: {
    in: 'query',
    type: 'boolean',
    description:
      'Whether CSV and NDJSON end with the record that states missing rows and, in NDJSON, the metadata. By default, a page that the ' +
      'request asks for has no such record.',
  },
} as const;

type FormatParameter = keyof typeof FORMAT_PARAMETERS;

/** Returns the format parameters of an endpoint. A declared parameter with the same name replaces the format parameter. */
export function formatParametersOf({ parameters }: Pick<Endpoint, 'parameters'>): readonly FormatParameter[] {
  return FORMAT_NAMES.filter((name) => !(name in parameters));
}

const FORMAT_NAMES = Object.keys(FORMAT_PARAMETERS) as FormatParameter[];

/** The parameters that `pagination` adds. */
export const PAGE_PARAMETERS: readonly string[] = ['page', 'page_size', 'cursor'];

/** The requested format, undefined for JSON, and the remaining parameters, without those that select the format. */
interface ReadFormat {
  readonly format: RowFormat | undefined;
  readonly query: RawParameters['query'];
}

/** Reads the format of a request. Throws `bad_parameter`. */
export function readFormat(endpoint: Endpoint, query: RawParameters['query'], asked: AskedFormat): ReadFormat {
  const own = formatParametersOf(endpoint).filter((name) => query[name] !== undefined);
  const isPage = asksForPage(endpoint, query);
  if (own.length === 0) return { format: rowFormat(asked.suffix ?? asked.accepted, NO_CSV_OPTIONS, !isPage), query };
  const { format, csv_safe, csv_labels, closing_record } = readParameters({
    path: {},
    query: Object.fromEntries(own.map((name) => [name, query[name] as string | string[]])),
  });
  if (typeof format === 'string' && asked.suffix !== undefined && format !== asked.suffix) {
    throw suffixMismatch(asked.suffix, format);
  }
  const selected = (format as Format | null) ?? asked.suffix ?? asked.accepted;
  const others = Object.entries(query).filter(([name]) => !own.some((one) => one === name));
  const isClosed = typeof closing_record === 'boolean' ? closing_record : !isPage;
  const options = { isSafe: csv_safe === true, hasLabels: csv_labels === true };
  return { format: rowFormat(selected, options, isClosed), query: Object.fromEntries(others) };
}

const readParameters = createParameterReader(FORMAT_PARAMETERS);

/** Whether a request contains a page parameter. If not, the default page size acts as a row limit that truncates the answer. */
function asksForPage({ definition }: Endpoint, query: RawParameters['query']): boolean {
  return definition.pagination !== undefined && PAGE_PARAMETERS.some((name) => query[name] !== undefined);
}

export interface CsvOptions {
  /** Whether texts that a spreadsheet would execute as a formula get an apostrophe in front. */
  readonly isSafe: boolean;
  /** Whether the header has the labels of the columns instead of their names. */
  readonly hasLabels: boolean;
}

const NO_CSV_OPTIONS: CsvOptions = { isSafe: false, hasLabels: false };

function rowFormat(format: Format, { isSafe, hasLabels }: CsvOptions, isClosed: boolean): RowFormat | undefined {
  if (format === 'json') return undefined;
  const closed = format === 'csv' ? (`csv${isSafe ? '-safe' : ''}${hasLabels ? '-labels' : ''}` as const) : format;
  return isClosed ? closed : withoutClosing(closed);
}

function suffixMismatch(expected: Format, got: string): EngineError {
  const parameter = 'format';
  const message = `${parameter}: expected ${expected}, because the path ends with this suffix, got ${got}`;
  return new EngineError('bad_parameter', message, { parameters: [{ parameter, expected, got, message }] });
}

export type Rows = readonly (readonly Cell[])[];

/** Writes the rows of one answer in their order. Text is in UTF-8. */
export interface RowEncoder {
  /** Returns the text or bytes before the first row. */
  start(): string | Buffer;
  /** Encodes a batch of rows. Throws a `TypeError` if a cell does not fit the declared type of its column. */
  rows(rows: Rows): string | Buffer;
  /** Returns the number of encoded records. Absent if each row is one record. */
  records?(): number;
  /** Returns the text or bytes after the last row. */
  end(facts: AnswerFacts): string | Buffer;
}

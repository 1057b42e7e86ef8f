import { EngineError } from '../../databases/interface/errors.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import { createParameterReader, type RawParameters } from '../../definitions/parameters/parameter-values.js';
import { FORMATS, type Format, type RowFormat, withoutClosing } from './format.js';

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
  closing_record: {
    in: 'query',
    type: 'boolean',
    description:
      'Whether CSV and NDJSON end with the record that states missing rows and, in NDJSON, the metadata. By default, a page that the ' +
      'request asks for has no such record.',
  },
} as const;

export type FormatParameter = keyof typeof FORMAT_PARAMETERS;

/** Returns the format parameters of an endpoint. A declared parameter with the same name replaces the format parameter. */
export function formatParametersOf({ parameters }: Pick<Endpoint, 'parameters'>): readonly FormatParameter[] {
  return FORMAT_NAMES.filter((name) => !(name in parameters));
}

const FORMAT_NAMES = Object.keys(FORMAT_PARAMETERS) as FormatParameter[];

/** The parameters that `pagination` adds. */
export const PAGE_PARAMETERS: readonly string[] = ['page', 'page_size', 'cursor'];

/** The requested format, undefined for JSON, and the remaining parameters, without those that select the format. */
export interface ReadFormat {
  readonly format: RowFormat | undefined;
  readonly query: RawParameters['query'];
}

/** Reads the format of a request. Throws `bad_parameter`. */
export function readFormat(endpoint: Endpoint, query: RawParameters['query'], asked: AskedFormat): ReadFormat {
  const own = formatParametersOf(endpoint).filter((name) => query[name] !== undefined);
  const isPage = asksForPage(endpoint, query);
  if (own.length === 0) return { format: rowFormat(asked.suffix ?? asked.accepted, false, !isPage), query };
  const { format, csv_safe, closing_record } = readParameters({
    path: {},
    query: Object.fromEntries(own.map((name) => [name, query[name] as string | string[]])),
  });
  if (typeof format === 'string' && asked.suffix !== undefined && format !== asked.suffix) {
    throw suffixMismatch(asked.suffix, format);
  }
  const selected = (format as Format | null) ?? asked.suffix ?? asked.accepted;
  const others = Object.entries(query).filter(([name]) => !own.some((one) => one === name));
  const isClosed = typeof closing_record === 'boolean' ? closing_record : !isPage;
  return { format: rowFormat(selected, csv_safe === true, isClosed), query: Object.fromEntries(others) };
}

const readParameters = createParameterReader(FORMAT_PARAMETERS);

/** Whether a request contains a page parameter. If not, the default page size acts as a row limit that truncates the answer. */
function asksForPage({ definition }: Endpoint, query: RawParameters['query']): boolean {
  return definition.pagination !== undefined && PAGE_PARAMETERS.some((name) => query[name] !== undefined);
}

function rowFormat(format: Format, isSafe: boolean, isClosed: boolean): RowFormat | undefined {
  if (format === 'json') return undefined;
  const closed = format === 'csv' && isSafe ? 'csv-safe' : format;
  return isClosed ? closed : withoutClosing(closed);
}

function suffixMismatch(expected: Format, got: string): EngineError {
  const parameter = 'format';
  const message = `${parameter}: expected ${expected}, because the path ends with this suffix, got ${got}`;
  return new EngineError('bad_parameter', message, { parameters: [{ parameter, expected, got, message }] });
}

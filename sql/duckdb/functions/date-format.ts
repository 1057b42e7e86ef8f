import { quoteText, reject } from '../tree/tree.js';

/** Writes `DATE_FORMAT(x, format)`. `instant` is the DuckDB text of x as a TIMESTAMP. */
export function writeDateFormat(instant: string, format: string): string {
  const pieces: string[] = [];
  let plain = '';
  const flush = () => {
    if (plain !== '') pieces.push(`strftime(${instant}, ${quoteText(plain)})`);
    plain = '';
  };
  for (const [code] of format.matchAll(/%?[\s\S]/g)) {
    const computed = COMPUTED_CODES[code];
    if (computed === undefined) {
      plain += FORMATS[code] ?? (code.length === 2 ? code.slice(1) : code);
    } else {
      flush();
      pieces.push(computed(instant));
    }
  }
  flush();
  if (pieces.length === 0) return 'CAST(NULL AS VARCHAR)';
  return pieces.length === 1 ? String(pieces[0]) : `(${pieces.join(' || ')})`;
}

/** Translates a format of `STR_TO_DATE`. Returns the DuckDB format, and whether the result has a date and a time. */
export function translateParseFormat(format: string): {
  readonly format: string;
  readonly date: boolean;
  readonly time: boolean;
} {
  const codes = new Set<string>();
  let translated = '';
  let date = false;
  let time = false;
  for (const [code] of format.matchAll(/%?[\s\S]/g)) {
    if (code.length === 2 && code !== '%%') {
      if (!DATE_CODES.has(code) && !TIME_CODES.has(code)) reject(`The code ${code} of STR_TO_DATE`);
      codes.add(code);
      date ||= DATE_CODES.has(code);
      time ||= TIME_CODES.has(code);
      translated += PARSE_FORMATS[code] ?? FORMATS[code] ?? code;
    } else translated += code;
  }
  if (date && !isWholeDate(codes)) reject(`STR_TO_DATE with the format ${format}, which has no complete date,`);
  return { format: translated, date, time };
}

/**
 * Returns true if the codes determine the year and the day of the year. Otherwise MySQL returns NULL, but DuckDB would
 * use a default for the missing part.
 */
function isWholeDate(codes: ReadonlySet<string>): boolean {
  const has = (...some: readonly string[]) => some.some((code) => codes.has(code));
  return has('%Y', '%y') && (has('%j') || (has('%m', '%c', '%M', '%b') && has('%d', '%e')));
}

/** MySQL's format codes and the equal codes of DuckDB's strftime. */
const FORMATS: Readonly<Record<string, string>> = {
  '%Y': '%Y',
  '%y': '%y',
  '%m': '%m',
  '%c': '%-m',
  '%M': '%B',
  '%b': '%b',
  '%d': '%d',
  '%e': '%-d',
  '%j': '%j',
  '%H': '%H',
  '%k': '%-H',
  '%h': '%I',
  '%I': '%I',
  '%l': '%-I',
  '%i': '%M',
  '%s': '%S',
  '%S': '%S',
  '%f': '%f',
  '%p': '%p',
  '%T': '%H:%M:%S',
  '%r': '%I:%M:%S %p',
  '%W': '%A',
  '%a': '%a',
  '%w': '%w',
  '%U': '%U',
  '%v': '%V',
  '%x': '%G',
  '%%': '%%',
};

/** Codes without an equivalent in DuckDB: weeks by MySQL's rules, and the day with its English ordinal suffix. */
const COMPUTED_CODES: Readonly<Record<string, (instant: string) => string>> = {
  '%u': (instant) => writeTwoDigits(`mysql.week_1(${instant})`),
  '%V': (instant) => writeTwoDigits(`mysql.week_2(${instant})`),
  '%X': (instant) => `lpad(CAST(mysql.year_of_week_2(${instant}) AS VARCHAR), 4, '0')`,
  '%D': (instant) => `mysql.ordinal_day(${instant})`,
};

function writeTwoDigits(number: string): string {
  return `lpad(CAST(${number} AS VARCHAR), 2, '0')`;
}

const DATE_CODES = new Set(['%Y', '%y', '%m', '%c', '%M', '%b', '%d', '%e', '%j', '%W', '%a']);
const TIME_CODES = new Set(['%H', '%k', '%h', '%I', '%l', '%i', '%s', '%S', '%f', '%p', '%T', '%r']);

/**
 * Format codes that STR_TO_DATE translates differently from DATE_FORMAT. For parsing, these codes of DuckDB accept one
 * or two digits, as in MySQL.
 */
const PARSE_FORMATS: Readonly<Record<string, string>> = { '%c': '%m', '%e': '%d', '%k': '%H', '%l': '%I' };

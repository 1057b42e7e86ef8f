import type { Macro } from './macro.js';

/** Macros that convert a value of any type to one type. */
export const CONVERSIONS: readonly Macro[] = [
  // DuckDB writes 0.00001 as 1e-05 and 1e15 in full. MySQL writes an exponent from 1e15 up and from 1e-16 down.
  [
    'number_text(s)',
    `CASE WHEN contains(s, 'e-') AND CAST(split_part(s, 'e-', 2) AS INTEGER) < 16
       THEN CASE WHEN s LIKE '-%' THEN '-' ELSE '' END || '0.'
         || repeat('0', CAST(split_part(s, 'e-', 2) AS INTEGER) - 1) || regexp_replace(split_part(s, 'e', 1), '[-.]', '', 'g')
       WHEN regexp_matches(s, '^-?\\d{16}(\\.|$)')
       THEN regexp_replace(regexp_replace(replace(s, '.', ''), '0+$', ''), '^(-?\\d)(\\d*)$',
         CASE WHEN regexp_matches(s, '^-?\\d0+$') THEN '\\1e15' ELSE '\\1.\\2e15' END)
       ELSE s END`,
  ],
  [
    'text(x)',
    `CASE WHEN typeof(x) IN ('DOUBLE', 'FLOAT')
       THEN list_transform([regexp_replace(replace(CAST(x AS VARCHAR), 'e+', 'e'), '\\.0$', '')],
         lambda s: mysql.number_text(s))[1]
       ELSE CAST(x AS VARCHAR) END`,
  ],
  [
    'instant(x)',
    `CASE WHEN typeof(x) = 'VARCHAR' OR typeof(x) LIKE '%INT%' THEN coalesce(TRY_CAST(CAST(x AS VARCHAR) AS TIMESTAMP),
       try_strptime(CAST(x AS VARCHAR), ['%Y%m%d', '%Y%m%d%H%M%S'])) ELSE CAST(x AS TIMESTAMP) END`,
  ],
  ['day_of(x)', 'CAST(mysql.instant(x) AS DATE)'],
  ['datetime(x)', "date_trunc('second', x + INTERVAL 500000 MICROSECOND)"],
  [
    'clock(x)',
    `CASE WHEN typeof(x) = 'VARCHAR'
       THEN coalesce(TRY_CAST(CAST(x AS VARCHAR) AS TIME), CAST(TRY_CAST(CAST(x AS VARCHAR) AS TIMESTAMP) AS TIME))
       ELSE CAST(mysql.instant(x) AS TIME) END`,
  ],
  // Macros for operands of arithmetic: `number` converts an INT to a BIGINT, and a date to the number that its digits
  // form. DuckDB rejects text when it plans the query. `least` is used only for its type: without `least`, DuckDB would
  // look up the struct field when it creates the macro.
  ['kind_of_operand(x)', "CASE regexp_extract(typeof(least(x, x)), 'DATE|TIME') WHEN '' THEN 'number' ELSE 'date' END"],
  // Replaces the decimal point before a fraction of a second by an `x`, so that the cast fails and does not lose the
  // fraction.
  ['digits_of_date(s)', "CAST(translate(s, '.-: ', 'x') AS BIGINT)"],
  // Like `number`, but shorter, for macros that copy an operand many times. DuckDB rejects a date when it plans the
  // query.
  ['undated(x)', 'CASE WHEN true THEN x ELSE 0::BIGINT END'],
  [
    'number(x)',
    `CASE WHEN true THEN struct_extract({ 'number': x,
       'date': CASE mysql.kind_of_operand(x) WHEN 'date' THEN mysql.digits_of_date(CAST(x AS VARCHAR)) END },
       mysql.kind_of_operand(x)) ELSE 0::BIGINT END`,
  ],
  // Text counts as the number at its start, or as 0 if there is no number.
  [
    'numeral(s)',
    `CASE WHEN s IS NULL THEN NULL ELSE coalesce(nullif(regexp_extract(
       s, '^\\s*([-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?)', 1), ''), '0') END`,
  ],
  [
    'double(x)',
    `CASE WHEN x IS NULL THEN NULL WHEN typeof(x) = 'VARCHAR' THEN coalesce(TRY_CAST(regexp_extract(
       CAST(x AS VARCHAR), '^\\s*([-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?)', 1) AS DOUBLE), 0)
       ELSE CAST(x AS DOUBLE) END`,
  ],
  [
    'signed_bits(n)',
    `CAST(CASE WHEN n > 18446744073709551615 THEN -1 WHEN n > 9223372036854775807 THEN n - 18446744073709551616
       WHEN n < -9223372036854775808 THEN -9223372036854775808 ELSE n END AS BIGINT)`,
  ],
  [
    'signed(x)',
    `CASE WHEN x IS NULL THEN NULL WHEN typeof(x) = 'VARCHAR' THEN mysql.signed_bits(coalesce(TRY_CAST(regexp_extract(
       CAST(x AS VARCHAR), '^\\s*([-+]?\\d+)', 1) AS HUGEINT), 0))
       WHEN typeof(x) = 'UBIGINT' THEN mysql.signed_bits(CAST(x AS HUGEINT)) ELSE CAST(x AS BIGINT) END`,
  ],
  ['unsigned(x)', 'CAST((CAST(mysql.signed(x) AS HUGEINT) + 18446744073709551616) % 18446744073709551616 AS UBIGINT)'],
  [
    'shifted_left(x, n)',
    `CASE WHEN n NOT BETWEEN 0 AND 63 THEN 0::UBIGINT
       ELSE CAST(CAST(x AS HUGEINT) * (1::HUGEINT << CAST(n AS HUGEINT)) % 18446744073709551616 AS UBIGINT) END`,
  ],
  ['shifted_right(x, n)', 'CASE WHEN n NOT BETWEEN 0 AND 63 THEN 0::UBIGINT ELSE x >> CAST(n AS UBIGINT) END'],
  // A text that is compared with a value: a number if the value is a number.
  [
    'like_number(s, other)',
    `struct_extract({ 'number': mysql.double(s), 'text': s },
       CASE WHEN regexp_matches(typeof(least(other, other)), 'INT|DECIMAL|DOUBLE|FLOAT') THEN 'number' ELSE 'text' END)`,
  ],
];

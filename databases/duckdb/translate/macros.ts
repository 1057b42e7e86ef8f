/**
 * What MySQL's functions mean, said in DuckDB's SQL. The macros live in a database in memory that every connection of
 * the instance sees under this name, so that a file opened for reading only has them too, and never outdated ones.
 *
 * `typeof` and `current_setting` are constants when a query is planned: a CASE on them costs nothing when it runs.
 */
export const MACRO_DATABASE = 'mysql';

export const MACROS: readonly (readonly [string, string])[] = [
  // Values of any type as one type.
  [
    'text(x)',
    `CASE WHEN typeof(x) IN ('DOUBLE', 'FLOAT')
       THEN regexp_replace(replace(CAST(x AS VARCHAR), 'e+', 'e'), '\\.0$', '') ELSE CAST(x AS VARCHAR) END`,
  ],
  [
    'instant(x)',
    `CASE WHEN typeof(x) = 'VARCHAR' THEN coalesce(TRY_CAST(CAST(x AS VARCHAR) AS TIMESTAMP),
       try_strptime(CAST(x AS VARCHAR), ['%Y%m%d', '%Y%m%d%H%M%S'])) ELSE CAST(x AS TIMESTAMP) END`,
  ],
  ['day_of(x)', 'CAST(mysql.instant(x) AS DATE)'],
  ['datetime(x)', "date_trunc('second', mysql.instant(x) + INTERVAL 500000 MICROSECOND)"],
  [
    'clock(x)',
    `CASE WHEN typeof(x) = 'VARCHAR'
       THEN coalesce(TRY_CAST(CAST(x AS VARCHAR) AS TIME), CAST(TRY_CAST(CAST(x AS VARCHAR) AS TIMESTAMP) AS TIME))
       ELSE CAST(mysql.instant(x) AS TIME) END`,
  ],
  // An INT that is added to becomes a BIGINT; what is no number is refused when the query is planned.
  ['number(x)', 'CASE WHEN true THEN x ELSE 0::BIGINT END'],
  // Text counts as the number it starts with, 0 when there is none.
  [
    'double(x)',
    `CASE WHEN x IS NULL THEN NULL WHEN typeof(x) = 'VARCHAR' THEN coalesce(TRY_CAST(regexp_extract(
       CAST(x AS VARCHAR), '^\\s*([-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?)', 1) AS DOUBLE), 0)
       ELSE CAST(x AS DOUBLE) END`,
  ],
  [
    'signed(x)',
    `CASE WHEN x IS NULL THEN NULL WHEN typeof(x) = 'VARCHAR' THEN coalesce(TRY_CAST(regexp_extract(
       CAST(x AS VARCHAR), '^\\s*([-+]?\\d+)', 1) AS BIGINT), 0) ELSE CAST(x AS BIGINT) END`,
  ],
  ['unsigned(x)', 'CAST((CAST(mysql.signed(x) AS HUGEINT) + 18446744073709551616) % 18446744073709551616 AS UBIGINT)'],

  // How often a text is repeated. DuckDB counts neither the memory nor the time of one text as it grows.
  [
    'bounded(n, bytes)',
    `CASE WHEN n > 65536 OR n * bytes > 65536 THEN error('a text may not be made longer than 65,536 bytes')
       ELSE greatest(n, 0) END`,
  ],

  // Numbers. A quotient is calculated with 9 more digits than the dividend has and shown with 4 more, unless either
  // side is a DOUBLE. The factor lifts what binary fractions put just below a digit; it leaves the digits right while
  // dividend and quotient have at most 15 of them.
  ['quotient_type(a, b)', quotientType('0.0001')],
  ['long_quotient_type(a, b)', quotientType('0.000000001')],
  [
    'divided(a, b)',
    `cast_to_type(CASE WHEN typeof(mysql.quotient_type(a, b)) = 'DOUBLE' THEN a / nullif(b, 0)
       WHEN typeof(a) LIKE '%INT' THEN trunc((a / nullif(b, 0)) * 1.0000000000000004e0, 9)
       ELSE (a / nullif(b, 0)) * 1.0000000000000004e0 END, mysql.long_quotient_type(a, b))`,
  ],
  [
    'whole_quotient(a, b)',
    `CAST(CASE WHEN typeof(a) LIKE '%INT' AND typeof(b) LIKE '%INT' THEN CAST(a // nullif(b, 0) AS HUGEINT)
       ELSE CAST(trunc(a / nullif(b, 0)) AS HUGEINT) END AS BIGINT)`,
  ],
  ['remainder(a, b)', 'a % nullif(b, 0)'],
  ['root(x)', 'CASE WHEN x < 0 THEN NULL ELSE sqrt(x) END'],
  ['logarithm(x)', 'CASE WHEN x <= 0 THEN NULL ELSE ln(x) END'],
  ['logarithm_to(b, x)', 'CASE WHEN x <= 0 OR b <= 0 OR b = 1 THEN NULL ELSE ln(x) / ln(b) END'],

  // Dates and times.
  ['micros_between(a, b)', 'epoch_us(mysql.instant(b)) - epoch_us(mysql.instant(a))'],
  ['micros_into_month(x)', "epoch_us(x) - epoch_us(date_trunc('month', x))"],
  [
    'whole_months(x, y)',
    `(year(y) - year(x)) * 12 + month(y) - month(x) + CASE
       WHEN y >= x AND mysql.micros_into_month(y) < mysql.micros_into_month(x) THEN -1
       WHEN y < x AND mysql.micros_into_month(y) > mysql.micros_into_month(x) THEN 1 ELSE 0 END`,
  ],
  ['months_between(a, b)', 'mysql.whole_months(mysql.instant(a), mysql.instant(b))'],
  ['days_between(a, b)', 'CAST(mysql.day_of(a) - mysql.day_of(b) AS BIGINT)'],
  ['days_since_year_0(x)', "CAST(mysql.day_of(x) - DATE '1970-01-01' + 719528 AS BIGINT)"],
  ['date_of_days(n)', "CAST(DATE '1970-01-01' + CAST(n - 719528 AS INTEGER) AS DATE)"],
  ['unix_seconds(x)', 'greatest(epoch_us(mysql.instant(x)), 0) // 1000000'],
  ['of_unix_seconds(n)', 'make_timestamp(CAST(CAST(n AS DECIMAL(20, 6)) * 1000000 AS BIGINT))'],
  [
    'date_of_year_day(y, n)',
    'CASE WHEN n < 1 THEN NULL ELSE CAST(make_date(CAST(y AS BIGINT), 1, 1) + CAST(n - 1 AS INTEGER) AS DATE) END',
  ],
  ['week_0(x)', "CAST(strftime(mysql.instant(x), '%U') AS BIGINT)"],
  [
    'week_1(x)',
    `CASE WHEN isoyear(mysql.instant(x)) < year(mysql.instant(x)) THEN 0
       WHEN isoyear(mysql.instant(x)) > year(mysql.instant(x)) THEN week(mysql.instant(x) - INTERVAL 7 DAY) + 1
       ELSE week(mysql.instant(x)) END`,
  ],
  [
    'week_2(x)',
    `CASE WHEN strftime(mysql.instant(x), '%U') = '00'
       THEN CAST(strftime(date_trunc('year', mysql.instant(x)) - INTERVAL 1 DAY, '%U') AS BIGINT)
       ELSE CAST(strftime(mysql.instant(x), '%U') AS BIGINT) END`,
  ],
  ['year_of_week_2(x)', "year(mysql.instant(x)) - CASE WHEN strftime(mysql.instant(x), '%U') = '00' THEN 1 ELSE 0 END"],
  ['week_3(x)', 'week(mysql.instant(x))'],
  ['week_5(x)', "CAST(strftime(mysql.instant(x), '%W') AS BIGINT)"],
  [
    'ordinal_day(x)',
    `CAST(day(x) AS VARCHAR) || CASE WHEN day(x) BETWEEN 11 AND 13 THEN 'th' WHEN day(x) % 10 = 1 THEN 'st'
       WHEN day(x) % 10 = 2 THEN 'nd' WHEN day(x) % 10 = 3 THEN 'rd' ELSE 'th' END`,
  ],
  [
    'months_of_period(p)',
    `(p // 100 + CASE WHEN p // 100 < 70 THEN 2000 WHEN p // 100 < 100 THEN 1900 ELSE 0 END) * 12 + p % 100 - 1`,
  ],
  ['now()', 'make_timestamp(epoch_us(now()))'],

  // Text.
  [
    'part_from(s, p)',
    "CASE WHEN s IS NULL OR p IS NULL THEN NULL WHEN p = 0 OR -p > length(s) THEN '' ELSE substring(s, p) END",
  ],
  [
    'part_of(s, p, n)',
    `CASE WHEN s IS NULL OR p IS NULL OR n IS NULL THEN NULL
       WHEN p = 0 OR -p > length(s) OR n < 1 THEN '' ELSE substring(s, p, n) END`,
  ],
  [
    'position_from(s, part, p)',
    `CASE WHEN p IS NULL OR s IS NULL OR part IS NULL THEN NULL WHEN p < 1 OR p > length(s) + 1 THEN 0
       WHEN instr(substring(s, p), part) = 0 THEN 0
       ELSE instr(substring(s, p), part) + p - 1 END`,
  ],
  [
    'up_to_delimiter(s, d, n)',
    `CASE WHEN s IS NULL OR d IS NULL OR n IS NULL THEN NULL WHEN n = 0 OR d = '' THEN ''
       WHEN n > 0 THEN array_to_string(string_split(s, d)[1:n], d)
       ELSE array_to_string(string_split(s, d)[greatest(len(string_split(s, d)) + n + 1, 1):], d) END`,
  ],
  ['without_start(s, part)', "regexp_replace(s, '^(' || regexp_escape(part) || ')+', '')"],
  ['without_end(s, part)', "regexp_replace(s, '(' || regexp_escape(part) || ')+$', '')"],
  ['pattern(p)', "p || CASE WHEN length(regexp_extract(p, '\\\\+$')) % 2 = 1 THEN '\\' ELSE '' END"],
  [
    'place_in_set(x, list)',
    `CASE WHEN x IS NULL OR list IS NULL THEN NULL WHEN list = '' OR contains(x, ',') THEN 0
       ELSE CAST(coalesce(list_position(string_split(list, ','), x), 0) AS BIGINT) END`,
  ],
  ['joined(list, separator)', 'array_to_string(CAST(list AS VARCHAR[]), separator)'],
  // Of a sorted list without NULL: every element with the one before it. (`list[i - 1]` would copy the list each time.)
  [
    'distinct_of(list)',
    `list_transform(list_filter(list_zip(list, list_prepend(NULL, list)), lambda pair: pair[1] IS NOT NULL
       AND (pair[2] IS NULL OR pair[1] <> pair[2])), lambda pair: pair[1])`,
  ],
];

/** The field of a struct is looked up when the query is planned, so this has the one type or the other. */
function quotientType(unit: string): string {
  return `struct_extract({ 'approximate': 1e0, 'exact': a * ${unit} },
    CASE WHEN typeof(b) IN ('DOUBLE', 'FLOAT') THEN 'approximate' ELSE 'exact' END)`;
}

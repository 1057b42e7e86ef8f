/**
 * What MySQL's functions mean, said in DuckDB's SQL. The macros live in a database in memory that every connection of
 * the instance sees under this name, so that a file opened for reading only has them too, and never outdated ones.
 *
 * `typeof` and `current_setting` are constants when a query is planned: a CASE on them costs nothing when it runs.
 */
export const MACRO_DATABASE = 'mysql';

export const MACROS: readonly (readonly [string, string])[] = [
  // Values of any type as one type.
  // DuckDB writes 0.00001 as 1e-05 and 1e15 in full; MySQL has exponents from 1e15 and 1e-16 on.
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
  // An INT that is added to becomes a BIGINT, a date the number of its digits; text is refused when the query is planned.
  // `least` is there for its type alone: without it DuckDB would look the field up when it makes the macro.
  ['kind_of_operand(x)', "CASE regexp_extract(typeof(least(x, x)), 'DATE|TIME') WHEN '' THEN 'number' ELSE 'date' END"],
  // A fraction of a second would be lost: its `x` is an error.
  ['digits_of_date(s)', "CAST(translate(s, '.-: ', 'x') AS BIGINT)"],
  // As `number` for the macros that copy an operand many times: a date is refused when the query is planned.
  ['undated(x)', 'CASE WHEN true THEN x ELSE 0::BIGINT END'],
  [
    'number(x)',
    `CASE WHEN true THEN struct_extract({ 'number': x,
       'date': CASE mysql.kind_of_operand(x) WHEN 'date' THEN mysql.digits_of_date(CAST(x AS VARCHAR)) END },
       mysql.kind_of_operand(x)) ELSE 0::BIGINT END`,
  ],
  // Text counts as the number it starts with, 0 when there is none.
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

  ['hexadecimal(x)', "CASE WHEN typeof(x) = 'VARCHAR' THEN hex(CAST(x AS VARCHAR)) ELSE hex(mysql.signed(x)) END"],

  // How often a text is repeated. DuckDB counts neither the memory nor the time of one text as it grows.
  [
    'bounded(n, bytes)',
    `CASE WHEN n > 65536 OR n * bytes > 65536 THEN error('a text may not be made longer than 65,536 bytes')
       WHEN n < 0 THEN 0 ELSE n END`,
  ],

  // Numbers. A quotient is shown with 4 more digits than the dividend has, unless either side is a DOUBLE, and
  // calculated with as many groups of 9 digits as MySQL takes. That of whole numbers is exact. That of DECIMALs is
  // divided as DOUBLE; the factor lifts what binary fractions put just below a digit, and leaves the digits right while
  // dividend and quotient have at most 15 of them.
  [
    'quotient_type(a, b)',
    `struct_extract({ 'approximate': 1e0, 'exact': a * CAST(0.0001 AS DECIMAL(12, 4)) },
       CASE WHEN typeof(b) IN ('DOUBLE', 'FLOAT') THEN 'approximate' ELSE 'exact' END)`,
  ],
  ['places_of(type)', "coalesce(TRY_CAST(regexp_extract(type, ',(\\d+)', 1) AS INTEGER), 0)"],
  ['in_groups(places)', '(places + 8) // 9 * 9'],
  [
    'places_of_quotient(a, b)',
    'least(mysql.in_groups(greatest(mysql.in_groups(a) + mysql.in_groups(b), a + b + 4)), 27)',
  ],
  // The field of a struct is looked up when the query is planned, so that one type remains.
  [
    'long_decimal(places)',
    "struct_extract({ 'p9': 0::DECIMAL(38, 9), 'p18': 0::DECIMAL(38, 18), 'p27': 0::DECIMAL(38, 27) }, 'p' || places)",
  ],
  [
    'kind_of_numbers(types)',
    `CASE WHEN regexp_matches(types, 'DOUBLE|FLOAT') THEN 'approximate' WHEN contains(types, 'DECIMAL') THEN 'decimal'
       ELSE 'whole' END`,
  ],
  // DuckDB divides numbers of 64 bits a hundred times as fast as those of 128.
  [
    'billionths(a, b)',
    `CASE WHEN a BETWEEN -9000000000 AND 9000000000 THEN CAST((CAST(a AS BIGINT) * 1000000000) // nullif(b, 0) AS HUGEINT)
       ELSE (CAST(a AS HUGEINT) * 1000000000) // nullif(b, 0) END`,
  ],
  // Aggregates are few, and planning one costs more than dividing it.
  ['divided_counts(a, b)', '((CAST(a AS HUGEINT) * 1000000000) // nullif(b, 0)) * 0.000000001'],
  [
    'divided(a, b)',
    `struct_extract({
       'whole': CASE mysql.kind_of_numbers(typeof(a) || typeof(b)) WHEN 'whole' THEN mysql.billionths(a, b) * 0.000000001 END,
       'decimal': CASE mysql.kind_of_numbers(typeof(a) || typeof(b)) WHEN 'decimal'
         THEN cast_to_type(
           trunc((a / nullif(b, 0)) * 1.0000000000000004e0,
             mysql.places_of_quotient(mysql.places_of(typeof(a)), mysql.places_of(typeof(b)))),
           mysql.long_decimal(mysql.places_of_quotient(mysql.places_of(typeof(a)), mysql.places_of(typeof(b))))) END,
       'approximate': CASE mysql.kind_of_numbers(typeof(a) || typeof(b)) WHEN 'approximate' THEN a / nullif(b, 0) END
     }, mysql.kind_of_numbers(typeof(a) || typeof(b)))`,
  ],
  // A macro is its text with the arguments put in: with long ones, such as quotients of quotients, the text would grow
  // until it takes seconds to plan. These take them once, and some 200 nanoseconds a row.
  ['divided_once(a, b)', "list_transform([{ 'a': a, 'b': b }], lambda pair: mysql.divided(pair.a, pair.b))[1]"],
  [
    'whole_quotient(a, b)',
    `CAST(CASE mysql.kind_of_numbers(typeof(a) || typeof(b)) WHEN 'whole' THEN CAST(a // nullif(b, 0) AS HUGEINT)
       WHEN 'decimal' THEN CAST(round((a - a % nullif(b, 0)) / nullif(b, 0)) AS HUGEINT)
       ELSE CAST(trunc((a / nullif(b, 0)) * 1.0000000000000004e0) AS HUGEINT) END AS BIGINT)`,
  ],
  // DuckDB's own make a DOUBLE of a whole number.
  ['floored(x)', 'trunc(x) - CASE WHEN x < trunc(x) THEN 1 ELSE 0 END'],
  ['ceiling(x)', 'trunc(x) + CASE WHEN x > trunc(x) THEN 1 ELSE 0 END'],
  ['remainder(a, b)', 'a % nullif(b, 0)'],
  // Halves go away from zero, except those of a DOUBLE: they go to the even side, as they do when it becomes an integer.
  [
    'rounded(x, n)',
    `struct_extract({ 'exact': round(x, n),
       'approximate': coalesce(TRY_CAST(CAST(x AS DOUBLE) * 10e0 ** n AS HUGEINT) / 10e0 ** n, CAST(x AS DOUBLE)) },
       CASE WHEN typeof(x) IN ('DOUBLE', 'FLOAT') THEN 'approximate' ELSE 'exact' END)`,
  ],
  ['rounded_once(x, n)', 'list_transform([x], lambda one: mysql.rounded(one, n))[1]'],
  // Beyond the end of its type DuckDB's goes on from the other end.
  [
    'rounded_off(x, n)',
    `list_transform([{ 'x': x, 'r': mysql.rounded(x, n) }], lambda pair: CASE WHEN sign(pair.x) * sign(pair.r) < 0
       THEN error('a number is out of range') ELSE pair.r END)[1]`,
  ],
  ['root(x)', 'CASE WHEN x < 0 THEN NULL ELSE sqrt(x) END'],
  ['logarithm(x)', 'CASE WHEN x <= 0 THEN NULL ELSE ln(x) END'],
  ['logarithm_to(b, x)', 'CASE WHEN x <= 0 OR b <= 0 OR b = 1 THEN NULL ELSE ln(x) / ln(b) END'],

  // Dates and times.
  ['micros_between(a, b)', 'epoch_us(b) - epoch_us(a)'],
  ['micros_into_month(x)', "epoch_us(x) - epoch_us(date_trunc('month', x))"],
  [
    'whole_months(x, y)',
    `(year(y) - year(x)) * 12 + month(y) - month(x) + CASE
       WHEN y >= x AND mysql.micros_into_month(y) < mysql.micros_into_month(x) THEN -1
       WHEN y < x AND mysql.micros_into_month(y) > mysql.micros_into_month(x) THEN 1 ELSE 0 END`,
  ],
  ['days_since_year_0(x)', "CAST(x - DATE '1970-01-01' + 719528 AS BIGINT)"],
  ['date_of_days(n)', "CAST(DATE '1970-01-01' + CAST(n - 719528 AS INTEGER) AS DATE)"],
  ['unix_seconds(x)', 'CASE WHEN epoch_us(x) < 0 THEN 0 ELSE epoch_us(x) // 1000000 END'],
  [
    'of_unix_seconds(n)',
    'CASE WHEN n >= 0 THEN make_timestamp(CAST(CAST(n AS DECIMAL(20, 6)) * 1000000 AS BIGINT)) END',
  ],
  ['whole_year(y)', 'y + CASE WHEN y < 70 THEN 2000 WHEN y < 100 THEN 1900 ELSE 0 END'],
  [
    'date_of_year_day(y, n)',
    `CASE WHEN n < 1 THEN NULL
       ELSE CAST(make_date(CAST(mysql.whole_year(y) AS BIGINT), 1, 1) + CAST(n - 1 AS INTEGER) AS DATE) END`,
  ],
  ['week_0(x)', "CAST(strftime(x, '%U') AS BIGINT)"],
  [
    'week_1(x)',
    `CASE WHEN isoyear(x) < year(x) THEN 0
       WHEN isoyear(x) > year(x) THEN week(x - INTERVAL 7 DAY) + 1
       ELSE week(x) END`,
  ],
  [
    'week_2(x)',
    `CASE WHEN strftime(x, '%U') = '00'
       THEN CAST(strftime(date_trunc('year', x) - INTERVAL 1 DAY, '%U') AS BIGINT)
       ELSE CAST(strftime(x, '%U') AS BIGINT) END`,
  ],
  ['year_of_week_2(x)', "year(x) - CASE WHEN strftime(x, '%U') = '00' THEN 1 ELSE 0 END"],
  ['week_3(x)', 'week(x)'],
  ['week_5(x)', "CAST(strftime(x, '%W') AS BIGINT)"],
  [
    'ordinal_day(x)',
    `CAST(day(x) AS VARCHAR) || CASE WHEN day(x) BETWEEN 11 AND 13 THEN 'th' WHEN day(x) % 10 = 1 THEN 'st'
       WHEN day(x) % 10 = 2 THEN 'nd' WHEN day(x) % 10 = 3 THEN 'rd' ELSE 'th' END`,
  ],
  ['months_of_period(p)', 'mysql.whole_year(p // 100) * 12 + p % 100 - 1'],
  ['period_of_months(m)', '(m // 12) * 100 + m % 12 + 1'],
  [
    'time_of_seconds(n)',
    `CASE WHEN n NOT BETWEEN 0 AND 86399 THEN error('a TIME here is within one day')
       ELSE TIME '00:00:00' + to_seconds(CAST(trunc(n) AS BIGINT)) END`,
  ],
  ['now()', 'make_timestamp(epoch_us(now()))'],

  // Text.
  [
    'first_byte(c)',
    `CASE WHEN c < 128 THEN c WHEN c < 2048 THEN 192 + (c >> 6) WHEN c < 65536 THEN 224 + (c >> 12)
       ELSE 240 + (c >> 18) END`,
  ],
  // DuckDB's own reverse keeps what is shown as one character together.
  ['reversed(s)', "array_to_string(list_reverse(regexp_extract_all(s, '(?s).')), '')"],
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
  [
    'with_part(s, p, n, part)',
    `CASE WHEN p < 1 OR p > length(s) THEN s || left(part, 0) ELSE left(s, p - 1) || part
       || CASE WHEN n < 0 OR n > length(s) THEN '' ELSE substring(s, p + n) END END`,
  ],
  [
    'grouped(x)',
    `CASE WHEN x < 0 THEN '-' ELSE '' END || format('{:,}', CAST(trunc(abs(x)) AS BIGINT))
       || regexp_extract(CAST(x AS VARCHAR), '\\..*$')`,
  ],
  ['without_start(s, part)', "regexp_replace(s, '^(' || regexp_escape(part) || ')+', '')"],
  ['without_end(s, part)', "regexp_replace(s, '(' || regexp_escape(part) || ')+$', '')"],
  ['pattern(p)', "p || CASE WHEN length(regexp_extract(p, '\\\\+$')) % 2 = 1 THEN '\\' ELSE '' END"],
  [
    'place_in_set(x, list)',
    `CASE WHEN x IS NULL OR list IS NULL THEN NULL WHEN list = '' OR contains(x, ',') THEN 0
       ELSE CAST(coalesce(list_position(string_split(list, ','), x), 0) AS BIGINT) END`,
  ],
  ['unquoted(s)', `CASE WHEN s LIKE '"%"' AND json_valid(s) THEN json_extract_string(s, '$') ELSE s END`],
  // Of rows that are all NULL the list is empty, and the text NULL.
  ['joined(list, separator)', 'array_to_string(CAST(nullif(list, []) AS VARCHAR[]), separator)'],
  // Of a sorted list without NULL: every element with the one before it. (`list[i - 1]` would copy the list each time.)
  [
    'distinct_of(list)',
    `list_transform(list_filter(list_zip(list, list_prepend(NULL, list)), lambda pair: pair[1] IS NOT NULL
       AND (pair[2] IS NULL OR pair[1] <> pair[2])), lambda pair: pair[1])`,
  ],
  ['with_places(list)', "list_sort(list_transform(list, lambda value, place: { 'value': value, 'place': place }))"],
  // Of a list without NULL: every value once, at its first place.
  [
    'first_of_each(list)',
    `list_transform(list_sort(list_transform(list_filter(list_zip(mysql.with_places(list),
       list_prepend(NULL, mysql.with_places(list))), lambda pair: pair[1] IS NOT NULL
       AND (pair[2] IS NULL OR pair[1].value <> pair[2].value)), lambda pair: { 'place': pair[1].place, 'value': pair[1].value })),
       lambda first: first.value)`,
  ],
];

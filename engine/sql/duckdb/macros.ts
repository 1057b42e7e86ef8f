/** The remainders of CRC-32 (ISO-HDLC, the polynomial 0x04C11DB7 with reflected bits) for the 256 values of a byte. */
const CHECKSUMS_OF_BYTES = Array.from(
  { length: 256 },
  (_, byte) =>
    Array.from({ length: 8 }).reduce<number>((rest) => (rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1), byte) >>> 0,
);

/** Macros for text. */
const TEXTS: readonly Macro[] = [
  // Limits the length of a repeated text. DuckDB checks neither its memory limit nor the time limit while it creates a
  // single text.
  [
    'bounded(n, bytes)',
    `CASE WHEN n > 65536 OR n * bytes > 65536 THEN error('a repeated text must not exceed 65,536 bytes')
       WHEN n < 0 THEN 0 ELSE n END`,
  ],
  [
    'first_byte(c)',
    `CASE WHEN c < 128 THEN c WHEN c < 2048 THEN 192 + (c >> 6) WHEN c < 65536 THEN 224 + (c >> 12)
       ELSE 240 + (c >> 18) END`,
  ],
  // Reverses code points, as MySQL does. DuckDB's `reverse` would keep code points together that are displayed as one
  // character.
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
    `CASE WHEN n IS NULL THEN NULL WHEN p < 1 OR p > length(s) THEN s || left(part, 0) ELSE left(s, p - 1) || part
       || CASE WHEN n < 0 OR n > length(s) THEN '' ELSE substring(s, p + n) END END`,
  ],
  [
    'grouped(x)',
    `CASE WHEN x < 0 THEN '-' ELSE '' END || format('{:,}', CAST(trunc(abs(x)) AS BIGINT))
       || regexp_extract(CAST(x AS VARCHAR), '\\..*$')`,
  ],
  [
    'checksum(bytes)',
    `CASE WHEN bytes IS NOT NULL THEN xor(list_reduce(list_prepend(4294967295::BIGINT, list_transform(regexp_extract_all(hex(bytes), '..'),
       lambda byte: CAST('0x' || byte AS BIGINT))),
       lambda rest, byte: xor(rest >> 8, list_extract([${CHECKSUMS_OF_BYTES.join(', ')}]::BIGINT[], (xor(rest, byte) & 255) + 1))), 4294967295::BIGINT) END`,
  ],
  // A line of base 64 has at most 76 characters, as in MIME.
  ['in_base64(bytes)', "rtrim(regexp_replace(base64(bytes), '(.{76})', '\\1' || chr(10), 'g'), chr(10))"],
  // The digits that a text starts with. More than 65 digits exceed 64 bits in every base.
  [
    'digits_in_base(s, digits)',
    "lower(regexp_extract(s, '^\\s*[-+]?0*([' || digits || upper(digits) || ']{0,65})', 1))",
  ],
  [
    'from_base_of(s, base)',
    `CASE WHEN s <> '' THEN list_transform([list_reduce(list_prepend(0::HUGEINT, list_transform(regexp_extract_all(mysql.digits_in_base(s, left('0123456789abcdefghijklmnopqrstuvwxyz', base)), '.'),
       lambda digit: CAST(instr('123456789abcdefghijklmnopqrstuvwxyz', digit) AS HUGEINT))),
       lambda number, digit: least(number * base + digit, 18446744073709551616))],
       lambda number: CAST(CASE WHEN number > 18446744073709551615 THEN 18446744073709551615
         WHEN regexp_matches(s, '^\\s*-') THEN (18446744073709551616 - number) % 18446744073709551616
         ELSE number END AS UBIGINT))[1] END`,
  ],
  // DuckDB's \`to_base\` accepts signed numbers of 64 bits only.
  [
    'to_base_of(n, base)',
    'CASE WHEN n < base THEN to_base(CAST(n AS BIGINT), base) ELSE to_base(CAST(n // base AS BIGINT), base) || to_base(CAST(n % base AS BIGINT), base) END',
  ],
  [
    'position_of_match(s, pattern)',
    `CASE WHEN s IS NULL OR pattern IS NULL THEN NULL WHEN regexp_matches(s, pattern)
       THEN length(regexp_extract(s, '^((?s:.*?))(?:' || pattern || ')', 1)) + 1 ELSE 0 END`,
  ],
  ['without_start(s, part)', "regexp_replace(s, '^(' || regexp_escape(part) || ')+', '')"],
  ['without_end(s, part)', "regexp_replace(s, '(' || regexp_escape(part) || ')+$', '')"],
  ['pattern(p)', "p || CASE WHEN length(regexp_extract(p, '\\\\+$')) % 2 = 1 THEN '\\' ELSE '' END"],
  [
    'place_in_set(x, list)',
    `CASE WHEN x IS NULL OR list IS NULL THEN NULL WHEN list = '' OR contains(x, ',') THEN 0
       ELSE CAST(coalesce(list_position(string_split(list, ','), x), 0) AS BIGINT) END`,
  ],
  // DuckDB accepts a comma before `]` and `}`, and the numbers NaN and Infinity.
  [
    'is_json(s)',
    `json_valid(s) AND NOT regexp_matches(regexp_replace(s, '"(\\\\.|[^"\\\\])*"', '""', 'g'), ',\\s*[\\]}]|[NIni]a?[Nn]')`,
  ],
  // DuckDB writes JSON without spaces, servers write one after \`:\` and \`,\`.
  [
    'spaced(json)',
    `CASE WHEN regexp_matches(CAST(json AS VARCHAR), '^[{\\[].*[,:]')
       THEN CAST(array_to_string(list_transform(regexp_extract_all(CAST(json AS VARCHAR), '"(?:[^"\\\\]|\\\\.)*"|[^",:]+|[,:]'),
         lambda part: CASE WHEN part IN (',', ':') THEN part || ' ' ELSE part END), '') AS JSON)
       ELSE json END`,
  ],
  // JSON_QUOTE of a number is NULL.
  [
    'quoted_json(x)',
    "CASE WHEN regexp_matches(typeof(least(x, x)), 'VARCHAR|DATE|TIME') THEN CAST(to_json(mysql.text(x)) AS VARCHAR) END",
  ],
  // A BOOLEAN of MySQL is a number, also in JSON.
  [
    'member(x)',
    `CASE WHEN typeof(x) = 'BLOB' THEN error('bytes cannot be used as text: write HEX(x)')
       WHEN typeof(x) = 'BOOLEAN' THEN CAST(CASE CAST(x AS VARCHAR) WHEN 'true' THEN '1' WHEN 'false' THEN '0' END AS JSON)
       ELSE to_json(x) END`,
  ],
  // DuckDB returns a repeated key twice.
  ['distinct_keys(keys)', 'list_filter(keys, lambda key, place: list_position(keys, key) = place)'],
  [
    'type_of_json(json)',
    `CASE json_type(json) WHEN 'VARCHAR' THEN 'STRING' WHEN 'BIGINT' THEN 'INTEGER' WHEN 'UBIGINT' THEN 'INTEGER' ELSE json_type(json) END`,
  ],
  ['unquoted(s)', `CASE WHEN s LIKE '"%"' AND json_valid(s) THEN json_extract_string(s, '$') ELSE s END`],
];

/** Macros for calculations with numbers. */
const NUMBERS: readonly Macro[] = [
  // MySQL displays a quotient with 4 more fractional digits than the dividend, unless one side is a DOUBLE. MySQL
  // calculates fractional digits in groups of 9, and these macros use the same number of groups. The quotient of
  // integers is exact. Short DECIMALs are divided as DOUBLE; a factor corrects binary fractions that are slightly too
  // small. Longer DECIMALs are divided digit by digit.
  [
    'quotient_type(a, b)',
    `struct_extract({ 'approximate': 1e0, 'exact': a * CAST(0.0001 AS DECIMAL(12, 4)) },
       CASE WHEN typeof(b) IN ('DOUBLE', 'FLOAT') OR typeof(a) = 'FLOAT' THEN 'approximate' ELSE 'exact' END)`,
  ],
  ['places_of(type)', "coalesce(TRY_CAST(regexp_extract(type, ',(\\d+)', 1) AS INTEGER), 0)"],
  ['in_groups(places)', '(places + 8) // 9 * 9'],
  [
    'places_of_quotient(a, b)',
    'least(mysql.in_groups(greatest(mysql.in_groups(a) + mysql.in_groups(b), a + b + 4)), 27)',
  ],
  // A struct field selects the type, because DuckDB resolves it when it plans the query, so that the result has a single type.
  [
    'long_decimal(places)',
    "struct_extract({ 'p9': 0::DECIMAL(38, 9), 'p18': 0::DECIMAL(38, 18), 'p27': 0::DECIMAL(38, 27) }, 'p' || places)",
  ],
  [
    'kind_of_numbers(types)',
    `CASE WHEN regexp_matches(types, 'DOUBLE|FLOAT') THEN 'approximate' WHEN contains(types, 'DECIMAL') THEN 'decimal'
       ELSE 'whole' END`,
  ],
  // DuckDB divides 64-bit numbers a hundred times faster than 128-bit numbers.
  [
    'billionths(a, b)',
    `CASE WHEN a BETWEEN -9000000000 AND 9000000000 THEN CAST((CAST(a AS BIGINT) * 1000000000) // nullif(b, 0) AS HUGEINT)
       ELSE (CAST(a AS HUGEINT) * 1000000000) // nullif(b, 0) END`,
  ],
  // Divides integers: `divided_integers` for columns, and `divided_counts` for aggregates. A query divides only a few
  // aggregates, so the simpler expression, which DuckDB plans faster, is better for them.
  ['divided_integers(a, b)', 'CAST(mysql.billionths(a, b) * 0.000000001 AS DECIMAL(38, 9))'],
  ['divided_counts(a, b)', '((CAST(a AS HUGEINT) * 1000000000) // nullif(b, 0)) * 0.000000001'],
  // Divides decimal texts in steps of nine digits, because the quotient of two DECIMALs is a DOUBLE in DuckDB.
  ['units(s)', "CAST(replace(s, '.', '') AS HUGEINT)"],
  ['fraction_of(s)', "CASE WHEN contains(s, '.') THEN length(s) - strpos(s, '.') ELSE 0 END"],
  ['zeros(n)', "repeat('0', CAST(greatest(n, 0) AS INTEGER))"],
  ['next_digits(rest, d)', "lpad(CAST((rest * 1000000000::HUGEINT) // d AS VARCHAR), 9, '0')"],
  ['next_rest(rest, d)', '(rest * 1000000000::HUGEINT) % d'],
  [
    'quotient_text(n, d)',
    `CAST(n // d AS VARCHAR) || '.' || mysql.next_digits(n % d, d) || mysql.next_digits(mysql.next_rest(n % d, d), d)
       || mysql.next_digits(mysql.next_rest(mysql.next_rest(n % d, d), d), d)`,
  ],
  [
    'long_division(a, b, places)',
    `list_transform([{
         'n': mysql.units(a || mysql.zeros(mysql.fraction_of(b) - mysql.fraction_of(a))),
         'd': nullif(mysql.units(b || mysql.zeros(mysql.fraction_of(a) - mysql.fraction_of(b))), 0) }],
       lambda pair: CASE WHEN (struct_extract(pair, 'n') < 0) <> (struct_extract(pair, 'd') < 0) THEN '-' ELSE '' END
         || mysql.quotient_text(abs(struct_extract(pair, 'n')), abs(struct_extract(pair, 'd'))))[1][:places - 28]`,
  ],
  [
    'whole_division(a, b)',
    `mysql.units(a || mysql.zeros(mysql.fraction_of(b) - mysql.fraction_of(a)))
       // nullif(mysql.units(b || mysql.zeros(mysql.fraction_of(a) - mysql.fraction_of(b))), 0)`,
  ],
  // A quotient as a DOUBLE is exact enough if the dividend and the displayed part of the quotient have at most 14
  // digits. If the dividend is itself a quotient, its digits that are not displayed also count.
  [
    'divided_decimals(a, b, shown, places)',
    `CASE WHEN shown < 9 AND abs(CAST(a AS DOUBLE)) < 10e0 ** (14 - shown) AND abs(CAST(a AS DOUBLE)) < abs(CAST(b AS DOUBLE)) * 10e0 ** (10 - shown)
       THEN cast_to_type(trunc((a / nullif(b, 0)) * 1.0000000000000004e0, places), mysql.long_decimal(places))
       ELSE cast_to_type(mysql.long_division(CAST(a AS VARCHAR), CAST(b AS VARCHAR), places), mysql.long_decimal(places)) END`,
  ],
  [
    'divided(a, b)',
    `struct_extract({
       'whole': CASE mysql.kind_of_numbers(typeof(a) || typeof(b)) WHEN 'whole' THEN mysql.divided_integers(a, b) END,
       'decimal': CASE mysql.kind_of_numbers(typeof(a) || typeof(b)) WHEN 'decimal'
         THEN mysql.divided_decimals(a, b, mysql.places_of(typeof(a)),
           mysql.places_of_quotient(mysql.places_of(typeof(a)), mysql.places_of(typeof(b)))) END,
       'approximate': CASE mysql.kind_of_numbers(typeof(a) || typeof(b)) WHEN 'approximate' THEN CAST(a AS DOUBLE) / nullif(CAST(b AS DOUBLE), 0) END
     }, mysql.kind_of_numbers(typeof(a) || typeof(b)))`,
  ],
  // DuckDB replaces a macro call by the body of the macro, with copies of the arguments. If the arguments are long,
  // such as quotients of quotients, DuckDB needs seconds to plan the query. The variants with `_once` contain each
  // argument only once, but cost about 200 nanoseconds per row.
  [
    'divided_once(a, b)',
    "list_transform([{ 'a': a, 'b': b }], lambda pair: mysql.divided(struct_extract(pair, 'a'), struct_extract(pair, 'b')))[1]",
  ],
  // From 2^52 upwards, the quotient of two DOUBLEs is an integer, and that of two DECIMALs is not exact.
  [
    'whole_quotient(a, b)',
    `CAST(CASE mysql.kind_of_numbers(typeof(a) || typeof(b)) WHEN 'whole' THEN CAST(a // nullif(b, 0) AS HUGEINT)
       WHEN 'decimal' THEN CASE WHEN abs(a / nullif(b, 0)) < 4503599627370496e0
         THEN CAST(round((a - a % nullif(b, 0)) / nullif(b, 0)) AS HUGEINT)
         ELSE mysql.whole_division(CAST(a AS VARCHAR), CAST(b AS VARCHAR)) END
       WHEN 'approximate' THEN CAST(CASE WHEN abs(a / nullif(b, 0)) < 4503599627370496e0
         THEN trunc((a / nullif(b, 0)) * 1.0000000000000004e0) ELSE a / nullif(b, 0) END AS HUGEINT) END AS BIGINT)`,
  ],
  // DuckDB's floor() and ceil() return a DOUBLE for an integer.
  ['floored(x)', 'trunc(x) - CASE WHEN x < trunc(x) THEN 1 ELSE 0 END'],
  ['ceiling(x)', 'trunc(x) + CASE WHEN x > trunc(x) THEN 1 ELSE 0 END'],
  ['remainder(a, b)', 'a % nullif(b, 0)'],
  // Halves are rounded away from zero, except for a DOUBLE, where an exact half is rounded to the even digit, as in a
  // conversion to an integer. A DOUBLE of 2^53 or more has no fraction.
  [
    'rounded(x, n)',
    `struct_extract({ 'exact': round(x, n),
       'approximate': coalesce(TRY_CAST(CASE WHEN abs(CAST(x AS DOUBLE) * 10e0 ** n) < 9007199254740992e0
         THEN CAST(x AS DOUBLE) * 10e0 ** n END AS BIGINT) / 10e0 ** n, CAST(x AS DOUBLE)) },
       CASE WHEN typeof(x) IN ('DOUBLE', 'FLOAT') THEN 'approximate' ELSE 'exact' END)`,
  ],
  ['rounded_once(x, n)', 'list_transform([x], lambda one: mysql.rounded(one, n))[1]'],
  // DuckDB rounds a DECIMAL to tens without changing its type: 7.5 becomes 0, because 10 does not fit. The sum has more digits.
  [
    'with_tens(x)',
    `struct_extract({ 'whole': x, 'approximate': x, 'decimal': CASE mysql.kind_of_numbers(typeof(x)) WHEN 'decimal' THEN x + 0::DECIMAL(18, 0) END },
       mysql.kind_of_numbers(typeof(x)))`,
  ],
  // If DuckDB's `round` overflows, the result has the opposite sign. The macro compares the signs to detect this.
  [
    'rounded_off(x, n)',
    `list_transform([{ 'x': x, 'r': mysql.rounded(mysql.with_tens(x), n) }], lambda pair: CASE WHEN sign(struct_extract(pair, 'x')) * sign(struct_extract(pair, 'r')) < 0
       THEN error('a number is out of range') ELSE struct_extract(pair, 'r') END)[1]`,
  ],
  ['root(x)', 'CASE WHEN x < 0 THEN NULL ELSE sqrt(x) END'],
  ['logarithm(x)', 'CASE WHEN x <= 0 THEN NULL ELSE ln(x) END'],
  ['logarithm_to(b, x)', 'CASE WHEN x <= 0 OR b <= 0 OR b = 1 THEN NULL ELSE ln(x) / ln(b) END'],
];

/** Macros for lists: the values of GROUP_CONCAT, and those of several paths in a JSON document. */
const LISTS: readonly Macro[] = [
  // If the value is NULL in all rows, the list is empty and the result is NULL.
  [
    'joined(list, separator)',
    'array_to_string(list_transform(nullif(list, []), lambda value: mysql.text(value)), separator)',
  ],
  // The JSON array of the values of several paths. MySQL omits missing values, and returns NULL if all are missing.
  [
    'found_values(list)',
    `CASE WHEN len(list_filter(list, lambda value: value IS NOT NULL)) > 0
       THEN CAST(to_json(list_filter(list, lambda value: value IS NOT NULL)) AS JSON) END`,
  ],
  // The distinct values of a sorted list without NULL. The macro compares each element with the previous element. The
  // macro does not use `list[i - 1]`, which would copy the list for each element.
  [
    'distinct_of(list)',
    `list_transform(list_filter(list_zip(list, list_prepend(NULL, list)), lambda pair: pair[1] IS NOT NULL
       AND (pair[2] IS NULL OR pair[1] <> pair[2])), lambda pair: pair[1])`,
  ],
  ['with_places(list)', "list_sort(list_transform(list, lambda value, place: { 'value': value, 'place': place }))"],
  // The distinct values of a list without NULL, in the order of their first occurrences.
  [
    'first_of_each(list)',
    `list_transform(list_sort(list_transform(list_filter(list_zip(mysql.with_places(list),
       list_prepend(NULL, mysql.with_places(list))), lambda pair: pair[1] IS NOT NULL
       AND (pair[2] IS NULL OR pair[1].value <> pair[2].value)), lambda pair: { 'place': pair[1].place, 'value': pair[1].value })),
       lambda first: first.value)`,
  ],
];

/** Macros for dates and times. */
const DATES: readonly Macro[] = [
  ['micros_between(a, b)', 'epoch_us(b) - epoch_us(a)'],
  ['micros_into_month(x)', "epoch_us(x) - epoch_us(date_trunc('month', x))"],
  [
    'whole_months(x, y)',
    `(year(y) - year(x)) * 12 + month(y) - month(x) + CASE
       WHEN y >= x AND mysql.micros_into_month(y) < mysql.micros_into_month(x) THEN -1
       WHEN y < x AND mysql.micros_into_month(y) > mysql.micros_into_month(x) THEN 1 ELSE 0 END`,
  ],
  // If whole days are added to a text with a date, the result is also a text with a date.
  [
    'shifted_day(moved, x)',
    `CASE WHEN typeof(x) = 'VARCHAR' AND length(CAST(x AS VARCHAR)) <= 10 THEN cast_to_type(strftime(moved, '%Y-%m-%d'), x)
       ELSE cast_to_type(moved, x) END`,
  ],
  ['days_since_year_0(x)', "CAST(x - DATE '1970-01-01' + 719528 AS BIGINT)"],
  ['date_of_days(n)', "CAST(DATE '1970-01-01' + CAST(n - 719528 AS INTEGER) AS DATE)"],
  ['unix_seconds(x)', 'CASE WHEN epoch_us(x) < 0 THEN 0 ELSE epoch_us(x) // 1000000 END'],
  [
    'of_unix_seconds(n)',
    'CASE WHEN n >= 0 AND n < 32536771200 THEN make_timestamp(CAST(CAST(n AS DECIMAL(20, 6)) * 1000000 AS BIGINT)) END',
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
  // Modes 4 and 6: weeks start on Sunday, and week 1 has its Wednesday in the year.
  ['wednesday(x)', 'CAST(x AS DATE) + 3 - CAST(dayofweek(x) AS INTEGER)'],
  ['week_6(x)', '(dayofyear(mysql.wednesday(x)) - 1) // 7 + 1'],
  [
    'week_4(x)',
    `CASE WHEN year(mysql.wednesday(x)) < year(x) THEN 0
       WHEN year(mysql.wednesday(x)) > year(x) THEN mysql.week_6(x - INTERVAL 7 DAY) + 1
       ELSE mysql.week_6(x) END`,
  ],
  [
    'week_7(x)',
    `CASE WHEN strftime(x, '%W') = '00'
       THEN CAST(strftime(date_trunc('year', x) - INTERVAL 1 DAY, '%W') AS BIGINT)
       ELSE CAST(strftime(x, '%W') AS BIGINT) END`,
  ],
  ['year_of_week_7(x)', "year(x) - CASE WHEN strftime(x, '%W') = '00' THEN 1 ELSE 0 END"],
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
    `CASE WHEN n < 0 OR n >= 86400 THEN error('a TIME must be within one day')
       ELSE TIME '00:00:00' + to_microseconds(CAST(CAST(n AS DECIMAL(20, 6)) * 1000000 AS BIGINT)) END`,
  ],
  // A DATETIME as it is, and a TIME on a fixed day, so that the difference of two values of the same form is a TIME.
  [
    'moment(x)',
    `CASE WHEN typeof(least(x, x)) IN ('TIME', 'VARCHAR')
       THEN coalesce(CASE WHEN typeof(least(x, x)) = 'VARCHAR' THEN mysql.instant(x) END, TIMESTAMP '2000-01-01' + to_microseconds(epoch_us(mysql.clock(x))))
       ELSE mysql.instant(x) END`,
  ],
  // The second argument of ADDTIME and TIMESTAMP. A DATETIME there makes the result NULL.
  [
    'duration(x)',
    `CASE WHEN typeof(least(x, x)) IN ('TIME', 'VARCHAR') THEN to_microseconds(epoch_us(mysql.clock(x)))
       WHEN x IS NOT NULL AND NOT regexp_matches(typeof(least(x, x)), 'DATE|TIMESTAMP')
       THEN error('a time must be a TIME or a text: write SEC_TO_TIME(x)') END`,
  ],
  // The difference of two instants as a TIME.
  [
    'time_between(a, b)',
    `CASE WHEN a < b OR epoch_us(a) - epoch_us(b) >= 86400000000 THEN error('a TIME must be within one day')
       ELSE TIME '00:00:00' + to_microseconds(epoch_us(a) - epoch_us(b)) END`,
  ],
  [
    'time_of(h, m, s)',
    `CASE WHEN mysql.rounded(m, 0) NOT BETWEEN 0 AND 59 OR s < 0 OR s >= 60 THEN NULL
       ELSE mysql.time_of_seconds(CAST(h AS BIGINT) * 3600 + mysql.rounded(m, 0) * 60 + s) END`,
  ],
  // DuckDB reads the two digits 69 as 1969, MySQL as 2069.
  ['with_century(x)', 'CASE WHEN year(x) = 1969 THEN x + INTERVAL 100 YEAR ELSE x END'],
  ['now()', 'make_timestamp(epoch_us(now()))'],
];

/** Macros that convert a value of any type to one type. */
const CONVERSIONS: readonly Macro[] = [
  // DuckDB writes 0.00001 as 1e-05, and 1e15 without an exponent. MySQL uses an exponent only from 1e15 upwards and from 1e-16 downwards.
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
  // DuckDB writes a DECIMAL(2, 2) without the 0 before the point.
  [
    'text(x)',
    `CASE WHEN typeof(x) IN ('DOUBLE', 'FLOAT')
       THEN list_transform([regexp_replace(replace(CAST(x AS VARCHAR), 'e+', 'e'), '\\.0$', '')],
         lambda s: mysql.number_text(s))[1]
       WHEN typeof(x) LIKE 'DECIMAL%' THEN regexp_replace(CAST(x AS VARCHAR), '^(-?)\\.', '\\10.')
       WHEN typeof(x) = 'BOOLEAN' THEN replace(replace(CAST(x AS VARCHAR), 'true', '1'), 'false', '0')
       WHEN typeof(x) = 'BLOB' THEN error('bytes cannot be used as text: write HEX(x)') ELSE CAST(x AS VARCHAR) END`,
  ],
  // DuckDB orders the values of an ENUM by their position, as MySQL does, but MIN and MAX of MySQL compare their texts.
  [
    'extreme(x)',
    "CASE WHEN typeof(x) LIKE 'ENUM(%' THEN error('MIN and MAX of an ENUM compare texts: write CAST(x AS CHAR)') ELSE x END",
  ],
  [
    'instant(x)',
    `CASE WHEN typeof(x) = 'VARCHAR' OR typeof(x) LIKE '%INT%' THEN coalesce(TRY_CAST(CAST(x AS VARCHAR) AS TIMESTAMP),
       try_strptime(CAST(x AS VARCHAR), ['%Y%m%d', '%Y%m%d%H%M%S'])) ELSE CAST(x AS TIMESTAMP) END`,
  ],
  ['day_of(x)', 'CAST(mysql.instant(x) AS DATE)'],
  ['datetime(x)', "date_trunc('second', x + INTERVAL 500000 MICROSECOND)"],
  ['whole_time(x)', "CASE WHEN x < TIME '23:59:59.5' THEN CAST(mysql.datetime(DATE '2000-01-01' + x) AS TIME) END"],
  [
    'clock(x)',
    `CASE WHEN typeof(x) IN ('VARCHAR', 'TIME')
       THEN coalesce(TRY_CAST(CAST(x AS VARCHAR) AS TIME), CAST(TRY_CAST(CAST(x AS VARCHAR) AS TIMESTAMP) AS TIME))
       ELSE CAST(mysql.instant(struct_extract({ 'time': NULL::TIMESTAMP, 'other': x },
         CASE typeof(least(x, x)) WHEN 'TIME' THEN 'time' ELSE 'other' END)) AS TIME) END`,
  ],
  // Macros for operands of arithmetic: `number` converts an INT to a BIGINT, and a date to the number that its digits
  // form, and a FLOAT to a DOUBLE. DuckDB rejects text when it plans the query. `least` is used only for its type:
  // without `least`, DuckDB would look up the struct field when it creates the macro.
  [
    'kind_of_operand(x)',
    "CASE regexp_extract(typeof(least(x, x)), 'DATE|TIME|FLOAT') WHEN '' THEN 'number' WHEN 'FLOAT' THEN 'float' ELSE 'date' END",
  ],
  // Replaces the decimal point before a fraction of a second by an `x`, so that the cast fails and does not lose the
  // fraction.
  ['digits_of_date(s)', "CAST(translate(s, '.-: ', 'x') AS BIGINT)"],
  // Like `number`, but shorter, for macros that copy an operand many times. DuckDB rejects a date when it plans the
  // query.
  ['undated(x)', 'CASE WHEN true THEN x ELSE 0::BIGINT END'],
  [
    'number(x)',
    `CASE WHEN true THEN struct_extract({ 'number': x,
       'float': CASE mysql.kind_of_operand(x) WHEN 'float' THEN CAST(CAST(CAST(x AS VARCHAR) AS FLOAT) AS DOUBLE) END,
       'date': CASE mysql.kind_of_operand(x) WHEN 'date' THEN mysql.digits_of_date(CAST(x AS VARCHAR)) END },
       mysql.kind_of_operand(x)) ELSE 0::BIGINT END`,
  ],
  // Converts a text to the number at its start, or to 0 if it does not start with a number.
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
  // The value of a CAST to DECIMAL: of a text, the number at its start.
  [
    'castable(x)',
    `struct_extract({ 'text': mysql.numeral(CAST(x AS VARCHAR)), 'approximate': CAST(x AS VARCHAR), 'other': x },
       CASE typeof(least(x, x)) WHEN 'VARCHAR' THEN 'text' WHEN 'DOUBLE' THEN 'approximate' WHEN 'FLOAT' THEN 'approximate'
         ELSE 'other' END)`,
  ],
  // MySQL rounds the digits that a DOUBLE shows, and not its binary value: 18.025e0 is 18.03.
  [
    'castable_number(x)',
    `struct_extract({ 'approximate': CAST(x AS VARCHAR), 'exact': x },
       CASE typeof(least(x, x)) WHEN 'DOUBLE' THEN 'approximate' WHEN 'FLOAT' THEN 'approximate' ELSE 'exact' END)`,
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
  // The text of a BLOB has escapes, which a cast to BLOB reads again. Unlike a direct cast, both casts accept every type.
  ['bytes(x)', "CASE WHEN typeof(x) = 'BLOB' THEN CAST(CAST(x AS VARCHAR) AS BLOB) ELSE encode(mysql.text(x)) END"],
  [
    'hexadecimal(x)',
    `CASE WHEN regexp_matches(typeof(x), '^(VARCHAR|BLOB|ENUM|JSON|DATE|TIME)') THEN hex(mysql.bytes(x))
       ELSE hex(mysql.signed(struct_extract({ 'text': 0, 'number': x },
         CASE WHEN regexp_matches(typeof(least(x, x)), '^(VARCHAR|BLOB|ENUM|JSON|DATE|TIME)') THEN 'text' ELSE 'number' END))) END`,
  ],
  ['unsigned(x)', 'CAST((CAST(mysql.signed(x) AS HUGEINT) + 18446744073709551616) % 18446744073709551616 AS UBIGINT)'],
  [
    'shifted_left(x, n)',
    `CASE WHEN n NOT BETWEEN 0 AND 63 THEN 0::UBIGINT
       ELSE CAST(CAST(x AS HUGEINT) * (1::HUGEINT << CAST(n AS HUGEINT)) % 18446744073709551616 AS UBIGINT) END`,
  ],
  ['shifted_right(x, n)', 'CASE WHEN n NOT BETWEEN 0 AND 63 THEN 0::UBIGINT ELSE x >> CAST(n AS UBIGINT) END'],
  // DuckDB expands its own `nullif` to the same CASE, whose copies `bindLongArguments` would not count.
  ['null_if(a, b)', 'CASE WHEN a = b THEN NULL ELSE a END'],
  // A text with a short year, which is not compared with a date.
  [
    'undated_text(s, other)',
    `CASE WHEN regexp_matches(typeof(least(other, other)), 'DATE|TIMESTAMP') THEN error('the year of a date needs four digits: ' || s)
       ELSE s END`,
  ],
  // Converts a text that is compared with another value: to a number if the other value is a number.
  [
    'like_number(s, other)',
    `struct_extract({ 'number': mysql.double(s), 'text': s },
       CASE WHEN regexp_matches(typeof(least(other, other)), 'INT|DECIMAL|DOUBLE|FLOAT') THEN 'number' ELSE 'text' END)`,
  ],
];

/**
 * The name of the in-memory database that contains the macros. Every connection of the DuckDB instance can use it.
 * Because the macros are not in the database file, they are up to date even if the file is opened read-only.
 */
export const MACRO_DATABASE = 'mysql';

/**
 * Macros that return the same results as MySQL functions. A macro may call only macros that precede it in this list.
 *
 * `typeof` and `current_setting` are constants when DuckDB plans a query: a CASE on them costs nothing when the query runs.
 */
export const MACROS: readonly Macro[] = [...CONVERSIONS, ...NUMBERS, ...DATES, ...TEXTS, ...LISTS];

/** The signature of a macro, such as `text(x)`, and its body in DuckDB's SQL. */
type Macro = readonly [signature: string, body: string];

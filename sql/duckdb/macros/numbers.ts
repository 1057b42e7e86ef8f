import type { Macro } from './macro.js';

/** Macros for calculations with numbers. */
export const NUMBERS: readonly Macro[] = [
  // MySQL displays a quotient with 4 more fractional digits than the dividend, unless one side is a DOUBLE. MySQL
  // calculates fractional digits in groups of 9, and these macros use the same number of groups. The quotient of
  // integers is exact. Short DECIMALs are divided as DOUBLE: the factor corrects binary fractions that are just below a
  // digit. Longer ones are divided digit by digit.
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
  // DuckDB looks up the field of a struct when it plans the query, so that the result has one type.
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
  // Divides integers. A query divides only a few aggregates, so a simple expression, which DuckDB plans faster, is the
  // better choice for them.
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
  // The quotient as a DOUBLE is exact enough if the dividend and the displayed digits of the quotient have at
  // most 14 digits. A dividend that is a quotient has digits that are not displayed, but count.
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
       'approximate': CASE mysql.kind_of_numbers(typeof(a) || typeof(b)) WHEN 'approximate' THEN a / nullif(b, 0) END
     }, mysql.kind_of_numbers(typeof(a) || typeof(b)))`,
  ],
  // DuckDB replaces a macro call by the text of the macro, with copies of the arguments. If the arguments are long,
  // such as quotients of quotients, DuckDB needs seconds to plan the text. The variants with `_once` contain each
  // argument once and cost about 200 nanoseconds per row.
  [
    'divided_once(a, b)',
    "list_transform([{ 'a': a, 'b': b }], lambda pair: mysql.divided(struct_extract(pair, 'a'), struct_extract(pair, 'b')))[1]",
  ],
  [
    'whole_quotient(a, b)',
    `CAST(CASE mysql.kind_of_numbers(typeof(a) || typeof(b)) WHEN 'whole' THEN CAST(a // nullif(b, 0) AS HUGEINT)
       WHEN 'decimal' THEN CAST(round((a - a % nullif(b, 0)) / nullif(b, 0)) AS HUGEINT)
       ELSE CAST(trunc((a / nullif(b, 0)) * 1.0000000000000004e0) AS HUGEINT) END AS BIGINT)`,
  ],
  // DuckDB's floor() and ceil() return a DOUBLE for an integer.
  ['floored(x)', 'trunc(x) - CASE WHEN x < trunc(x) THEN 1 ELSE 0 END'],
  ['ceiling(x)', 'trunc(x) + CASE WHEN x > trunc(x) THEN 1 ELSE 0 END'],
  ['remainder(a, b)', 'a % nullif(b, 0)'],
  // Halves are rounded away from zero. But a DOUBLE that ends in a half is rounded to the even digit, as in the
  // conversion of a DOUBLE to an integer.
  [
    'rounded(x, n)',
    `struct_extract({ 'exact': round(x, n),
       'approximate': coalesce(TRY_CAST(CAST(x AS DOUBLE) * 10e0 ** n AS HUGEINT) / 10e0 ** n, CAST(x AS DOUBLE)) },
       CASE WHEN typeof(x) IN ('DOUBLE', 'FLOAT') THEN 'approximate' ELSE 'exact' END)`,
  ],
  ['rounded_once(x, n)', 'list_transform([x], lambda one: mysql.rounded(one, n))[1]'],
  // DuckDB rounds a DECIMAL to tens within its own number of digits: 7.5 becomes 0. The sum has more digits.
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

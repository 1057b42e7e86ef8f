import type { Macro } from './macro.js';

/** Macros for calculations with numbers. */
export const NUMBERS: readonly Macro[] = [
  // MySQL displays a quotient with 4 more fractional digits than the dividend, unless one side is a DOUBLE. MySQL
  // calculates fractional digits in groups of 9, and these macros use the same number of groups. The quotient of
  // integers is exact. DECIMALs are divided as DOUBLE: the factor corrects binary fractions that are just below a
  // digit. The result is correct if the dividend and the quotient have at most 15 digits each.
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
  ['divided_integers(a, b)', 'mysql.billionths(a, b) * 0.000000001'],
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
  // DuckDB replaces a macro call by the text of the macro, with copies of the arguments. If the arguments are long,
  // such as quotients of quotients, DuckDB needs seconds to plan the text. The variants with `_once` contain each
  // argument once and cost about 200 nanoseconds per row.
  ['divided_once(a, b)', "list_transform([{ 'a': a, 'b': b }], lambda pair: mysql.divided(pair.a, pair.b))[1]"],
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
  // If DuckDB's `round` overflows, the result has the opposite sign. The macro compares the signs to detect this.
  [
    'rounded_off(x, n)',
    `list_transform([{ 'x': x, 'r': mysql.rounded(x, n) }], lambda pair: CASE WHEN sign(pair.x) * sign(pair.r) < 0
       THEN error('a number is out of range') ELSE pair.r END)[1]`,
  ],
  ['root(x)', 'CASE WHEN x < 0 THEN NULL ELSE sqrt(x) END'],
  ['logarithm(x)', 'CASE WHEN x <= 0 THEN NULL ELSE ln(x) END'],
  ['logarithm_to(b, x)', 'CASE WHEN x <= 0 OR b <= 0 OR b = 1 THEN NULL ELSE ln(x) / ln(b) END'],
];

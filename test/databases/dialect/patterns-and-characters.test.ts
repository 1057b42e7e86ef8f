import { testQueries } from './query-tests.js';

/** Queries with text beyond ASCII, positions out of range and patterns. Every database returns the same rows. */
describe('the dialect: characters and patterns', () => {
  testQueries('characters', [
    [
      "SELECT CONCAT('a', NULL, 'b'), CONCAT(''), CONCAT(1.0, 2e0, TRUE), CONCAT_WS(',', 'a', '', NULL, 'b'), CONCAT_WS('', 'a', 'b'), CONCAT_WS(',', NULL)",
      ['NULL |  | 1.021 | a,,b | ab | '],
    ],
    ["SELECT UPPER('éüñ')", ['ÉÜÑ']],
    ["SELECT LOWER('ÀÉÎ')", ['àéî']],
    ["SELECT LOWER('İ')", ['i']],
    ["SELECT UPPER('ı')", ['I']],
    ["SELECT LOWER('ΑΣ')", ['ασ']],
    ["SELECT UPPER('ǆ')", ['Ǆ']],
    ["SELECT LOWER('😀A')", ['😀a']],
    ["SELECT LOWER('Ⅷ')", ['ⅷ']],
    ["SELECT UPPER('ⓐ')", ['Ⓐ']],
    [
      "SELECT REVERSE('a😀b'), LEFT('a😀b', 2), RIGHT('a😀b', 2), SUBSTRING('a😀b', 2, 1), SUBSTRING('😀😀😀', -2, 1), LPAD('x', 3, '😀'), REPEAT('😀', 3), INSTR('a😀b', 'b'), LOCATE('b', 'a😀b😀b', 4)",
      ['b😀a | a😀 | 😀b | 😀 | 😀 | 😀😀x | 😀😀😀 | 3 | 5'],
    ],
    [
      "SELECT REVERSE('é'), CHAR_LENGTH('👨‍👩‍👧'), REVERSE('👨‍👩‍👧'), LEFT('👍🏽x', 1), SUBSTRING('🇩🇪x', 1, 1), CHAR_LENGTH('🇩🇪')",
      ['é | 5 | 👧‍👩‍👨 | 👍 | 🇩 | 2'],
    ],
    [
      "SELECT SUBSTRING('abc', 1.6), SUBSTRING('abc', '2'), SUBSTRING('abc', 2, 1.5), SUBSTRING('abc', -1, 5), SUBSTRING('abc', 3, 5), SUBSTRING('', 1), SUBSTRING(12345, 2, 3), SUBSTRING('abc', NULL, 1)",
      ['bc | bc | bc | c | c |  | 234 | NULL'],
    ],
    ["SELECT LEFT('abc', NULL)", ['NULL']],
    ["SELECT LEFT('abc', 1.6)", ['ab']],
    ["SELECT RIGHT('abc', NULL)", ['NULL']],
    ['SELECT LEFT(12345, 2)', ['12']],
    ["SELECT REPEAT('a', NULL)", ['NULL']],
    ['SELECT REPEAT(NULL, 2)', ['NULL']],
    ['SELECT SPACE(NULL)', ['NULL']],
    ['SELECT SPACE(0)', ['']],
    ["SELECT LPAD('a', NULL, 'x')", ['NULL']],
    ["SELECT LPAD('abc', 2, '')", ['ab']],
    ["SELECT RPAD('abc', 5, NULL)", ['NULL']],
    ["SELECT RPAD('a', 0, 'x')", ['']],
    [
      "SELECT SUBSTRING_INDEX('www.a.com', '.', 2), SUBSTRING_INDEX('www.a.com', '.', -2), SUBSTRING_INDEX('www.a.com', 'W', 1), SUBSTRING_INDEX('aaa', 'aa', 1), SUBSTRING_INDEX('aaa', 'aa', -1), SUBSTRING_INDEX('a,b', ',', NULL), SUBSTRING_INDEX('a😀b😀c', '😀', 2)",
      ['www.a | a.com | www.a.com |  | a | NULL | a😀b'],
    ],
    [
      "SELECT SUBSTRING_INDEX('aaaa', 'aa', -1), SUBSTRING_INDEX('aaaaa', 'aa', -2), SUBSTRING_INDEX('aaaaa', 'aa', 2)",
      [' | aaa | aa'],
    ],
    ["SELECT LOCATE('a', 'bar', 2)", ['2']],
    ["SELECT LOCATE('a', 'bar', -1)", ['0']],
    ["SELECT LOCATE('', '')", ['1']],
    ["SELECT LOCATE('', 'abc', 5)", ['0']],
    ['SELECT LOCATE(1, 123)', ['1']],
    ["SELECT INSTR(NULL, 'a')", ['NULL']],
    ["SELECT INSTR('abc', NULL)", ['NULL']],
    ["SELECT POSITION('' IN 'abc')", ['1']],
    [
      String.raw`SELECT TRIM('  x '), TRIM(LEADING '0' FROM '000120'), TRIM(TRAILING '.' FROM 'a...'), TRIM(BOTH 'ab' FROM 'ababxab'), TRIM('' FROM 'x'), TRIM('\t x'), LTRIM('\n x'), TRIM(BOTH FROM ' y '), TRIM('.' FROM 'a.b.')`,
      ['x | 120 | a | x | x | 	 x | \n x | y | a.b'],
    ],
    [
      "SELECT TRIM(TRAILING 'aa' FROM 'aaaaa'), TRIM(LEADING 'aa' FROM 'aaaaa'), TRIM(BOTH 'aba' FROM 'ababa')",
      ['a | a | ba'],
    ],
    [
      "SELECT REPLACE('aaa', 'a', 'b'), REPLACE('abc', 'B', 'x'), REPLACE('a.b', '.', ''), REPLACE(NULL, 'a', 'b'), REPLACE('abc', '', 'x'), REPLACE('😀a', 'a', '😀')",
      ['bbb | abc | ab | NULL | abc | 😀😀'],
    ],
    [
      "SELECT FIELD('a', 'b', 'a'), FIELD('A', 'a'), FIELD(NULL, NULL), FIELD(1, '1', 1), FIELD('x', NULL, 'x'), FIELD(1.0, 1), FIELD('1', 1.0)",
      ['2 | 0 | 0 | 1 | 2 | 1 | 1'],
    ],
    [
      "SELECT FIND_IN_SET('b', 'a,b'), FIND_IN_SET('', ''), FIND_IN_SET('', 'a,,b'), FIND_IN_SET(2, '1,2'), FIND_IN_SET('a', NULL), FIND_IN_SET('a ', 'a,b')",
      ['2 | 0 | 2 | 2 | NULL | 0'],
    ],
    ["SELECT ELT(1, NULL, 'a')", ['NULL']],
    ["SELECT ELT(-1, 'a')", ['NULL']],
    ["SELECT STRCMP('é', 'f')", ['1']],
    ['SELECT STRCMP(1, 2)', ['-1']],
    ["SELECT STRCMP('😀', 'z')", ['1']],
    ["SELECT ASCII('é')", ['195']],
    ["SELECT ASCII('😀')", ['240']],
    ['SELECT ASCII(NULL)', ['NULL']],
    ['SELECT ASCII(5)', ['53']],
    [
      "SELECT MD5(''), MD5(NULL), MD5(1), SHA1('é'), SHA1(NULL)",
      [
        'd41d8cd98f00b204e9800998ecf8427e | NULL | c4ca4238a0b923820dcc509a6f75849b | bf15be717ac1b080b4f1c456692825891ff5073d | NULL',
      ],
    ],
  ]);

  testQueries('patterns', [
    [
      String.raw`SELECT 'a' LIKE 'A', 'a' LIKE BINARY 'a', 'é' LIKE 'e', '😀' LIKE '_', 'abc' LIKE '%', '' LIKE '%', '' LIKE '', NULL LIKE NULL, 'a' LIKE NULL, 'a\nb' LIKE 'a%b', 'a%' LIKE 'a\%', 'ab' LIKE 'a\%', 'a\\b' LIKE 'a\\\\b', 'a\\' LIKE '%\\\\'`,
      ['0 | 1 | 0 | 1 | 1 | 1 | 1 | NULL | NULL | 1 | 1 | 0 | 1 | 1'],
    ],
    [
      String.raw`SELECT 'abc' REGEXP 'B', 'abc' REGEXP 'b', 'abc' REGEXP '^a.c$', 'a.c' REGEXP 'a\\.c', 'a\nb' REGEXP 'a.b', 'a\nb' REGEXP '^b', 'é' REGEXP '^.$', '😀' REGEXP '^.$', '' REGEXP '^$', 'abc' REGEXP '', 'a1' REGEXP '[0-9]', 'ab' REGEXP '(?i)AB'`,
      ['0 | 1 | 1 | 1 | 0 | 0 | 1 | 1 | 1 | 1 | 1 | 1'],
    ],
    [String.raw`SELECT 'foo bar' REGEXP '\\bbar\\b'`, ['1']],
    ["SELECT 'x-y' REGEXP '[^a-z]'", ['1']],
    ["SELECT 'aa' REGEXP 'a{2}'", ['1']],
    ["SELECT 'aa' REGEXP 'a{3}'", ['0']],
    ["SELECT 'a' REGEXP 'a|b'", ['1']],
    ["SELECT 'É' REGEXP 'é'", ['0']],
    ["SELECT 'a b' REGEXP '[[:space:]]'", ['1']],
    ["SELECT NULL REGEXP 'a'", ['NULL']],
    ["SELECT 'a' REGEXP NULL", ['NULL']],
    [
      String.raw`SELECT REGEXP_REPLACE('abcabc', 'b', 'X'), REGEXP_REPLACE('abc', '(a)(b)', '\\2\\1'), REGEXP_REPLACE('ABC', 'b', 'x'), REGEXP_REPLACE('abc', 'z', 'x'), REGEXP_REPLACE(NULL, 'a', 'b'), REGEXP_REPLACE('a.b.c', '\\.', '-')`,
      ['aXcaXc | bac | ABC | abc | NULL | a-b-c'],
    ],
    ["SELECT REGEXP_SUBSTR('abc123', '[0-9]+')", ['123']],
    ["SELECT REGEXP_SUBSTR(NULL, 'a')", ['NULL']],
  ]);
});

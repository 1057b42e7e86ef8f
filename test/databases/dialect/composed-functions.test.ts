import { testQueries } from './query-tests.js';

/** Functions that the translation builds from several functions of DuckDB. Every database returns the same rows. */
describe('the dialect: functions without an equal function of DuckDB', () => {
  testQueries('numbers in other bases, digests and encodings', [
    [
      "SELECT OCT(12), OCT(-1), OCT('12abc'), OCT(NULL), OCT(12.7), OCT(1e3), BIN(-1), BIN(0)",
      [
        '14 | 1777777777777777777777 | 14 | NULL | 14 | 1750 | 1111111111111111111111111111111111111111111111111111111111111111 | 0',
      ],
    ],
    [
      "SELECT CONV('ff', 16, 10), CONV('-ff', 16, 10), CONV(' 12', 10, 10), CONV('zz', 36, 2), CONV(NULL, 10, 2), CONV('-', 10, 2), CONV('+5', 10, 2), CONV(CRC32('a'), 10, 36)",
      ['255 | 18446744073709551361 | 12 | 10100001111 | NULL | 0 | 101 | 1SKJWAR'],
    ],
    [
      "SELECT TO_BASE64(REPEAT('abcdefghij', 6)), TO_BASE64(REPEAT('abc', 19)), TO_BASE64(REPEAT('abc', 38)), TO_BASE64(NULL)",
      [
        'YWJjZGVmZ2hpamFiY2RlZmdoaWphYmNkZWZnaGlqYWJjZGVmZ2hpamFiY2RlZmdoaWphYmNkZWZn\naGlq | YWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJj | YWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJj\nYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJjYWJj | NULL',
      ],
    ],
    [
      "SELECT CRC32('abc'), CRC32(''), CRC32(NULL), CRC32(12), CRC32('日'), BIT_LENGTH('é')",
      ['891568578 | 0 | NULL | 1330857165 | 3398581946 | 16'],
    ],
  ]);

  testQueries('times and ranges of units', [
    [
      'SELECT MAKETIME(1, 2.5, 3), MAKETIME(1, 2.5e0, 1), MAKETIME(1, 3.5e0, 1), MAKETIME(1, 59.6, 1)',
      ['01:03:03 | 01:02:01 | 01:04:01 | NULL'],
    ],
    [
      "SELECT TIMEDIFF('2024-01-01 10:00:00','2024-01-01 09:15:30'), TIMEDIFF('10:00:00','09:00:00'), TIMEDIFF(NULL,'2024-01-01 09:15:30'), TIMEDIFF('2024-01-01 10:00:00.25','2024-01-01 09:15:30')",
      ['00:44:30 | 01:00:00 | NULL | 00:44:30.250000'],
    ],
    [
      "SELECT TIMEDIFF(CAST('2024-01-01 10:00:00' AS DATETIME), '2024-01-01 09:00:00'), TIMEDIFF(CAST('10:00:00' AS TIME), '09:00:00')",
      ['01:00:00 | 01:00:00'],
    ],
    [
      "SELECT ADDTIME(CAST('2024-01-01 10:00:00' AS DATETIME), '01:30:00'), ADDTIME(CAST('10:00:00' AS TIME), '01:30:00'), SUBTIME(CAST('2024-01-01 10:00:00' AS DATETIME), '1:30'), SUBTIME(CAST('10:00:00' AS TIME), '1:30')",
      ['2024-01-01 11:30:00 | 11:30:00 | 2024-01-01 08:30:00 | 08:30:00'],
    ],
    [
      "SELECT TIME_FORMAT('10:05:07', '%H:%i:%s'), TIME_FORMAT(CAST('10:05:07' AS TIME), '%h %p %k %l %r %T %% %f'), TIME_FORMAT('2024-01-02 10:05:07', '%H.%i'), TIME_FORMAT(NULL, '%H')",
      ['10:05:07 | 10 AM 10 10 10:05:07 AM 10:05:07 % 000000 | 10.05 | NULL'],
    ],
    [
      'SELECT MAKETIME(10, 5, 7), MAKETIME(0, 0, 0), MAKETIME(10, 5, 60), MAKETIME(10, 5, NULL), MAKETIME(23, 59, 59)',
      ['10:05:07 | 00:00:00 | NULL | NULL | 23:59:59'],
    ],
    [
      "SELECT TIMESTAMP('2024-01-01', '23:59:59.5'), TIMESTAMP(NULL, '10:00:00'), TIMESTAMP('2024-01-01', NULL)",
      ['2024-01-01 23:59:59.500000 | NULL | NULL'],
    ],
    [
      "SELECT EXTRACT(DAY_HOUR FROM '2024-01-05 06:07:08'), EXTRACT(DAY_MINUTE FROM '2024-01-05 06:07:08'), EXTRACT(DAY_SECOND FROM '2024-01-05 06:07:08'), EXTRACT(HOUR_MINUTE FROM '2024-01-05 06:07:08'), EXTRACT(HOUR_SECOND FROM '2024-01-05 06:07:08'), EXTRACT(MINUTE_SECOND FROM '2024-01-05 06:07:08')",
      ['506 | 50607 | 5060708 | 607 | 60708 | 708'],
    ],
  ]);

  testQueries('weeks by every mode', [
    [
      "SELECT WEEK('2023-12-31', 4), WEEK('2024-01-01', 4), WEEK('2021-01-02', 4), WEEK('2026-01-01', 4), WEEK('2023-12-31', 6), WEEK('2021-01-02', 6), WEEK('2023-12-31', 7), WEEK('2024-01-01', 7), WEEK('2021-01-02', 7)",
      ['53 | 1 | 0 | 0 | 1 | 53 | 52 | 1 | 52'],
    ],
    [
      "SELECT YEARWEEK('2023-12-31', 4), YEARWEEK('2021-01-02', 4), YEARWEEK('2026-01-01', 5), YEARWEEK('2021-01-02', 7), YEARWEEK('2021-01-02', 6)",
      ['202401 | 202053 | 202552 | 202052 | 202053'],
    ],
  ]);

  testQueries('JSON as text, its types, keys and paths', [
    [
      `SELECT JSON_KEYS('{"a":1,"b":{"c":2}}'), JSON_KEYS('{"b":1,"a":{"c":2}}', '$.a'), JSON_KEYS('[1]'), JSON_KEYS('{}'), JSON_KEYS('{"a":1}', '$.x'), JSON_KEYS(NULL)`,
      ['["a", "b"] | ["c"] | NULL | [] | NULL | NULL'],
    ],
    [
      `SELECT JSON_EXTRACT('{"a": {"b": 1, "c": [1,  2, "x, y: z"]}}', '$.a'), JSON_EXTRACT('[1,2]', '$'), CONCAT(JSON_OBJECT('a', 1, 'b', JSON_ARRAY()), '!'), JSON_OBJECT('k', JSON_OBJECT('a', 'q"r', 'b\\\\c', NULL)), CHAR_LENGTH(JSON_ARRAY(1, 2))`,
      ['{"b": 1, "c": [1, 2, "x, y: z"]} | [1, 2] | {"a": 1, "b": []}! | {"k": {"a": "q\\"r", "b\\\\c": null}} | 6'],
    ],
    [
      "SELECT q.j, JSON_EXTRACT(q.j, '$.a') FROM (SELECT JSON_OBJECT('a', JSON_ARRAY(1, 2)) AS j) q",
      ['{"a": [1, 2]} | [1, 2]'],
    ],
    [
      `SELECT JSON_TYPE(JSON_EXTRACT('{"a":"x"}', '$.a')), JSON_TYPE(JSON_ARRAY(1)), JSON_QUOTE('a/b\\\\'), JSON_CONTAINS_PATH('[1,2]', 'one', '$[1]'), JSON_CONTAINS_PATH('[1,2]', 'one', '$[5]')`,
      ['STRING | ARRAY | "a/b\\\\" | 1 | 0'],
    ],
  ]);

  testQueries('padding with nothing, and the position of a match', [
    [
      "SELECT LPAD('abc', 5, ''), RPAD('abc', 2, ''), LPAD('abc', 3, ''), RPAD('abc', 4, '')",
      ['NULL | ab | abc | NULL'],
    ],
    [
      "SELECT REGEXP_INSTR('hello world', 'o'), REGEXP_INSTR('hello world', 'z'), REGEXP_INSTR('日本語', '語'), REGEXP_INSTR('aXb', 'x'), REGEXP_INSTR('ab', 'b|a'), REGEXP_INSTR('b\nab', '^a'), REGEXP_INSTR(NULL, 'a'), REGEXP_INSTR('axxb', 'x+')",
      ['5 | 0 | 3 | 0 | 1 | 0 | NULL | 2'],
    ],
  ]);
});

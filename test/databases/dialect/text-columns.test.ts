import { testQueries } from './query-tests.js';

/** Queries over texts with up to four bytes per character. Every database returns the same rows. */
describe('the dialect: texts in columns', () => {
  testQueries('of one to four bytes per character', [
    [
      'SELECT name, LENGTH(name), CHAR_LENGTH(name), UPPER(name), LOWER(name), REVERSE(name) FROM things ORDER BY name, id',
      [
        'NULL | NULL | NULL | NULL | NULL | NULL',
        ' | 0 | 0 |  |  | ',
        '12 apples | 9 | 9 | 12 APPLES | 12 apples | selppa 21',
        'a_b%c | 5 | 5 | A_B%C | a_b%c | c%b_a',
        'trail  | 6 | 6 | TRAIL  | trail  |  liart',
        'Ünïcode | 9 | 7 | ÜNÏCODE | ünïcode | edocïnÜ',
        '漢字🎉x | 11 | 4 | 漢字🎉X | 漢字🎉x | x🎉字漢',
        '😀 face | 9 | 6 | 😀 FACE | 😀 face | ecaf 😀',
      ],
    ],
    [
      'SELECT SUBSTRING(name, 1, 1), LEFT(name, 2), RIGHT(name, 1), SUBSTRING(name, 2), SUBSTRING(name, -2, 1), MID(name, 3) FROM things ORDER BY id',
      [
        '😀 | 😀  | e |  face | c | face',
        'Ü | Ün | e | nïcode | d | ïcode',
        '漢 | 漢字 | x | 字🎉x | 🎉 | 🎉x',
        'NULL | NULL | NULL | NULL | NULL | NULL',
        ' |  |  |  |  | ',
        '1 | 12 | s | 2 apples | e |  apples',
        'a | a_ | c | _b%c | % | b%c',
        't | tr |   | rail  | l | ail ',
      ],
    ],
    [
      "SELECT LPAD(name, 8, '😀'), RPAD(name, 8, '漢字'), LOCATE('🎉', name), INSTR(name, 'ï'), REPLACE(name, '😀', ':)') FROM things ORDER BY id",
      [
        '😀😀😀 face | 😀 face漢字 | 0 | 0 | :) face',
        '😀Ünïcode | Ünïcode漢 | 0 | 3 | Ünïcode',
        '😀😀😀😀漢字🎉x | 漢字🎉x漢字漢字 | 3 | 0 | 漢字🎉x',
        'NULL | NULL | NULL | NULL | NULL',
        '😀😀😀😀😀😀😀😀 | 漢字漢字漢字漢字 | 0 | 0 | ',
        '12 apple | 12 apple | 0 | 0 | 12 apples',
        '😀😀😀a_b%c | a_b%c漢字漢 | 0 | 0 | a_b%c',
        '😀😀trail  | trail 漢字 | 0 | 0 | trail ',
      ],
    ],
    ["SELECT id FROM things WHERE name LIKE '😀%' ORDER BY id", ['1']],
    ["SELECT id FROM things WHERE name LIKE '_ face' ORDER BY id", ['1']],
    [String.raw`SELECT id FROM things WHERE name LIKE '%\_%' ORDER BY id`, ['7']],
    [String.raw`SELECT id FROM things WHERE name LIKE '%\%%' ORDER BY id`, ['7']],
    [String.raw`SELECT id FROM things WHERE name LIKE '%\\\\%' ORDER BY id`, []],
    [String.raw`SELECT id FROM things WHERE name LIKE '%\\%' ORDER BY id`, []],
    ["SELECT id FROM things WHERE name LIKE 'a!_b%' ESCAPE '!' ORDER BY id", ['7']],
    ["SELECT id FROM things WHERE name LIKE 'A%' ORDER BY id", []],
    ["SELECT id FROM things WHERE name NOT LIKE '%a%' ORDER BY id", ['2', '3', '5']],
    ["SELECT id FROM things WHERE name LIKE 'trail' ORDER BY id", []],
    ["SELECT id FROM things WHERE name = '' ORDER BY id", ['5']],
    ["SELECT id FROM things WHERE name REGEXP '^[a-zÀ-ÿ]' ORDER BY id", ['2', '7', '8']],
    ["SELECT id FROM things WHERE name REGEXP '[[:digit:]]+ apples$' ORDER BY id", ['6']],
    [String.raw`SELECT id FROM things WHERE name REGEXP '\\d+\\s' ORDER BY id`, ['6']],
    ["SELECT id FROM things WHERE name REGEXP '^.{6}$' ORDER BY id", ['1', '8']],
    ["SELECT id FROM things WHERE name REGEXP 'FACE' ORDER BY id", []],
    ['SELECT MIN(name), MAX(name), COUNT(DISTINCT name) FROM things', [' | 😀 face | 7']],
    ['SELECT GROUP_CONCAT(name ORDER BY name) FROM things', [',12 apples,a_b%c,trail ,Ünïcode,漢字🎉x,😀 face']],
    [
      "SELECT GROUP_CONCAT(name ORDER BY id DESC SEPARATOR '') FROM things",
      ['trail a_b%c12 apples漢字🎉xÜnïcode😀 face'],
    ],
    [
      'SELECT COUNT(DISTINCT tiny), COUNT(DISTINCT tiny, day), COUNT(DISTINCT name), COUNT(tiny) FROM things',
      ['6 | 7 | 7 | 7'],
    ],
    ['SELECT id FROM things ORDER BY name DESC, id', ['1', '3', '2', '8', '7', '6', '5', '4']],
  ]);
});

import { testQueries } from './query-tests.js';

/** Queries over columns with 64-bit integers beyond 2^53, decimals and doubles. Every database returns the same rows. */
describe('the dialect: wide numbers', () => {
  testQueries('in columns', [
    [
      'SELECT city, COUNT(*) / (SELECT COUNT(*) FROM visits) FROM visits GROUP BY city ORDER BY city',
      ['NULL | 0.1667', 'Lima | 0.1667', 'Oslo | 0.3333', 'Rome | 0.1667', 'rome | 0.1667'],
    ],
    [
      'SELECT city, COUNT(*) / (SELECT COUNT(*) FROM visits) * 100 FROM visits GROUP BY city ORDER BY city',
      ['NULL | 16.6667', 'Lima | 16.6667', 'Oslo | 33.3333', 'Rome | 16.6667', 'rome | 16.6667'],
    ],
    [
      'SELECT price*price*price*price FROM visits ORDER BY id',
      ['5.06250000', '25.62890625', 'NULL', '10000.00000000', '0.96059601', '0.00000000'],
    ],
    ['SELECT AVG(price*1.5) FROM visits', ['4.4220000']],
    [
      'SELECT AVG(DISTINCT pages), SUM(DISTINCT price), COUNT(DISTINCT price, rate) FROM visits',
      ['3.2000 | 14.74 | 4'],
    ],
    [
      'SELECT VARIANCE(price), STD(price), ROUND(VAR_SAMP(rate), 12), STDDEV_SAMP(price) FROM visits',
      ['12.967816000000003 | 3.6010853919339376 | 0.757 | 4.026135864572879'],
    ],
    [
      'SELECT STD(pages), STDDEV(pages), STDDEV_SAMP(pages), VARIANCE(pages), VAR_SAMP(pages), BIT_OR(pages) FROM visits',
      ['2.5612496949731396 | 2.5612496949731396 | 2.8635642126552705 | 6.56 | 8.2 | 7'],
    ],
    ['SELECT STD(pages), VAR_SAMP(pages) FROM visits WHERE id = 1', ['0 | NULL']],
    ['SELECT STD(pages), VAR_SAMP(pages), BIT_XOR(pages) FROM visits WHERE id > 100', ['NULL | NULL | 0']],
    [
      'SELECT ROUND(rate*10), ROUND(rate, 1), rate*3, rate+price, rate/0 FROM visits ORDER BY id',
      [
        '1 | 0.1 | 0.30000000000000004 | 1.6 | NULL',
        '2 | 0.2 | 0.6000000000000001 | 2.45 | NULL',
        '3 | 0.3 | 0.8999999999999999 | NULL | NULL',
        'NULL | NULL | NULL | NULL | NULL',
        '20 | 2 | 6 | 2.99 | NULL',
        '15 | 1.5 | 4.5 | 1.5 | NULL',
      ],
    ],
    [
      'SELECT big + 0, big - 1 FROM things WHERE id IN (1, 5) ORDER BY id',
      ['9007199254740993 | 9007199254740992', '42 | 41'],
    ],
    [
      'SELECT ubig + 0, ubig FROM things WHERE id < 3 ORDER BY id',
      ['18446744073709551615 | 18446744073709551615', '9007199254740993 | 9007199254740993'],
    ],
    [
      'SELECT SUM(big), SUM(ubig), MAX(big), MIN(big), MAX(ubig), COUNT(DISTINCT big) FROM things',
      [
        '9007199254741065 | 18455751272964292672 | 9223372036854775807 | -9223372036854775808 | 18446744073709551615 | 6',
      ],
    ],
    ['SELECT AVG(tiny), SUM(tiny) FROM things', ['20.8571 | 146']],
    [
      'SELECT big % 7, big DIV 3, ubig DIV 7, ubig % 10 FROM things ORDER BY id',
      [
        '5 | 3002399751580331 | 2635249153387078802 | 5',
        '0 | 3074457345618258602 | 1286742750677284 | 3',
        '-1 | -3074457345618258602 | 0 | 0',
        'NULL | NULL | NULL | NULL',
        '0 | 14 | 6 | 2',
        '5 | 4 | 1 | 7',
        '5 | 4 | 1 | 7',
        '0 | 2 | 1 | 8',
      ],
    ],
    [
      'SELECT big * 1.0, big * 0.1 FROM things ORDER BY id',
      [
        '9007199254740993.0 | 900719925474099.3',
        '9223372036854775807.0 | 922337203685477580.7',
        '-9223372036854775808.0 | -922337203685477580.8',
        'NULL | NULL',
        '42.0 | 4.2',
        '12.0 | 1.2',
        '12.0 | 1.2',
        '7.0 | 0.7',
      ],
    ],
    [
      'SELECT big = 9007199254740993, big = 9007199254740992, big > 9007199254740992.5 FROM things ORDER BY id',
      ['1 | 0 | 1', '0 | 0 | 1', '0 | 0 | 0', 'NULL | NULL | NULL', '0 | 0 | 0', '0 | 0 | 0', '0 | 0 | 0', '0 | 0 | 0'],
    ],
    ["SELECT id FROM things WHERE big = '9007199254740993' ORDER BY id", ['1']],
    ['SELECT id FROM things WHERE big = 9007199254740992 ORDER BY id', []],
    ["SELECT id FROM things WHERE big IN ('9007199254740993', '42') ORDER BY id", ['1', '5']],
    [
      'SELECT CONCAT(big), CAST(ubig AS CHAR), CAST(big AS DOUBLE), CAST(ubig AS SIGNED), CAST(big AS UNSIGNED) FROM things ORDER BY id',
      [
        '9007199254740993 | 18446744073709551615 | 9007199254740992 | -1 | 9007199254740993',
        '9223372036854775807 | 9007199254740993 | 9223372036854776000 | 9007199254740993 | 9223372036854775807',
        '-9223372036854775808 | 0 | -9223372036854776000 | 0 | 9223372036854775808',
        'NULL | NULL | NULL | NULL | NULL',
        '42 | 42 | 42 | 42 | 42',
        '12 | 7 | 12 | 7 | 12',
        '12 | 7 | 12 | 7 | 12',
        '7 | 8 | 7 | 8 | 7',
      ],
    ],
    [
      'SELECT -tiny, ABS(tiny), tiny * tiny, tiny + 1, tiny << 2, tiny >> 1, tiny & 255 FROM things ORDER BY id',
      [
        '-1 | 1 | 1 | 2 | 4 | 0 | 1',
        '1 | 1 | 1 | 0 | 18446744073709551612 | 9223372036854775807 | 255',
        '-127 | 127 | 16129 | 128 | 508 | 63 | 127',
        'NULL | NULL | NULL | NULL | NULL | NULL | NULL',
        '0 | 0 | 0 | 1 | 0 | 0 | 0',
        '-5 | 5 | 25 | 6 | 20 | 2 | 5',
        '-5 | 5 | 25 | 6 | 20 | 2 | 5',
        '-9 | 9 | 81 | 10 | 36 | 4 | 9',
      ],
    ],
    [
      'SELECT amount, ROUND(amount, 2), ROUND(amount, 1), ROUND(amount), TRUNCATE(amount, 2), FLOOR(amount), CEIL(amount) FROM things ORDER BY id',
      [
        '0.125 | 0.13 | 0.1 | 0 | 0.12 | 0 | 1',
        '-0.005 | -0.01 | 0.0 | 0 | 0.00 | -1 | 0',
        '999999.999 | 1000000.00 | 1000000.0 | 1000000 | 999999.99 | 999999 | 1000000',
        'NULL | NULL | NULL | NULL | NULL | NULL | NULL',
        '0.000 | 0.00 | 0.0 | 0 | 0.00 | 0 | 0',
        '2.345 | 2.35 | 2.3 | 2 | 2.34 | 2 | 3',
        '2.345 | 2.35 | 2.3 | 2 | 2.34 | 2 | 3',
        '1.500 | 1.50 | 1.5 | 2 | 1.50 | 1 | 2',
      ],
    ],
    [
      'SELECT wide, ROUND(wide, 2), ROUND(wide, -2), wide / 7, wide * amount, wide + amount, wide % 7, wide DIV 7 FROM things ORDER BY id',
      [
        '1234567.125 | 1234567.13 | 1234600 | 176366.7321429 | 154320.890625 | 1234567.250 | 5.125 | 176366',
        '-0.005 | -0.01 | 0 | -0.0007143 | 0.000025 | -0.010 | -0.005 | 0',
        '99.995 | 100.00 | 100 | 14.2850000 | 99994999.900005 | 1000099.994 | 1.995 | 14',
        'NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL',
        '0.000 | 0.00 | 0 | 0.0000000 | 0.000000 | 0.000 | 0.000 | 0',
        '2.345 | 2.35 | 0 | 0.3350000 | 5.499025 | 4.690 | 2.345 | 0',
        '2.345 | 2.35 | 0 | 0.3350000 | 5.499025 | 4.690 | 2.345 | 0',
        '1.500 | 1.50 | 0 | 0.2142857 | 2.250000 | 3.000 | 1.500 | 0',
      ],
    ],
    [
      'SELECT x, ROUND(x), ROUND(x, 1), TRUNCATE(x, 1), FLOOR(x), CEIL(x), CAST(x AS SIGNED) FROM things WHERE id <> 3 ORDER BY id',
      [
        '0.5 | 0 | 0.5 | 0.5 | 0 | 1 | 0',
        '2.5 | 2 | 2.5 | 2.5 | 2 | 3 | 2',
        'NULL | NULL | NULL | NULL | NULL | NULL | NULL',
        '0.1 | 0 | 0.1 | 0.1 | 0 | 1 | 0',
        '-2.5 | -2 | -2.5 | -2.5 | -3 | -2 | -2',
        '1e-7 | 0 | 0 | 0 | 0 | 1 | 0',
        '3.5 | 4 | 3.5 | 3.5 | 3 | 4 | 4',
      ],
    ],
    [
      'SELECT x FROM things ORDER BY x DESC, id',
      ['100000000000000000000', '3.5', '2.5', '0.5', '0.1', '1e-7', '-2.5', 'NULL'],
    ],
    ['SELECT GROUP_CONCAT(tiny ORDER BY tiny) FROM things', ['-1,0,1,5,5,9,127']],
    ['SELECT GROUP_CONCAT(tiny ORDER BY tiny DESC, id) FROM things', ['127,9,5,5,1,0,-1']],
    [
      'SELECT GROUP_CONCAT(DISTINCT big ORDER BY big) FROM things',
      ['-9223372036854775808,7,12,42,9007199254740993,9223372036854775807'],
    ],
    [
      "SELECT GROUP_CONCAT(amount ORDER BY amount, id SEPARATOR '/') FROM things",
      ['-0.005/0.000/0.125/1.500/2.345/2.345/999999.999'],
    ],
    ['SELECT GROUP_CONCAT(x ORDER BY id) FROM things WHERE id <> 3', ['0.5,2.5,0.1,-2.5,0.0000001,3.5']],
    ["SELECT GROUP_CONCAT(id, ':', IFNULL(tiny, '-') ORDER BY id) FROM things", ['1:1,2:-1,3:127,4:-,5:0,6:5,7:5,8:9']],
    [
      'SELECT GROUP_CONCAT(DISTINCT amount ORDER BY amount DESC) FROM things',
      ['999999.999,2.345,1.500,0.125,0.000,-0.005'],
    ],
    ['SELECT GROUP_CONCAT(IF(tiny > 0, id, NULL) ORDER BY id) FROM things', ['1,3,6,7,8']],
    ['SELECT COUNT(DISTINCT IF(tiny > 0, tiny, NULL)) FROM things', ['4']],
    ['SELECT id FROM things ORDER BY tiny, id', ['4', '2', '5', '1', '6', '7', '8', '3']],
    ['SELECT id FROM things ORDER BY tiny DESC, id DESC', ['3', '8', '7', '6', '1', '5', '2', '4']],
    ['SELECT id FROM things ORDER BY tiny IS NULL, tiny, id', ['2', '5', '1', '6', '7', '8', '3', '4']],
    ['SELECT id FROM things ORDER BY -tiny DESC, id', ['2', '5', '1', '6', '7', '8', '3', '4']],
    [
      'SELECT city, AVG(pages) = 2.0000 FROM visits GROUP BY city ORDER BY city',
      ['NULL | 0', 'Lima | 0', 'Oslo | 0', 'Rome | 0', 'rome | 0'],
    ],
    ['SELECT AVG(pages) = 3.2, AVG(id) = 3.5, AVG(id)*3 FROM visits', ['1 | 1 | 10.5000']],
    [
      'SELECT city, AVG(id)*3 FROM visits GROUP BY city ORDER BY city',
      ['NULL | 12.0000', 'Lima | 18.0000', 'Oslo | 12.0000', 'Rome | 3.0000', 'rome | 6.0000'],
    ],
  ]);
});

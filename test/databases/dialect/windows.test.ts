import { testQueries } from './query-tests.js';

/** Queries with frames, ranks and NULL. Every database returns the same rows. */
describe('the dialect: windows', () => {
  testQueries('over the small tables', [
    [
      'SELECT id, RANK() OVER (ORDER BY (id + 100000)/300000) FROM visits ORDER BY id',
      ['1 | 1', '2 | 1', '3 | 1', '4 | 1', '5 | 5', '6 | 5'],
    ],
    [
      'SELECT id, ROW_NUMBER() OVER (ORDER BY (id + 100000)/300000, id DESC) FROM visits ORDER BY id',
      ['1 | 4', '2 | 3', '3 | 2', '4 | 1', '5 | 6', '6 | 5'],
    ],
    [
      'SELECT id, SUM(id/7) OVER (ORDER BY id) FROM visits ORDER BY id',
      ['1 | 0.1429', '2 | 0.4286', '3 | 0.8572', '4 | 1.4286', '5 | 2.1429', '6 | 3.0000'],
    ],
    [
      'SELECT id, SUM(id/7) OVER (ORDER BY id) * 100 FROM visits ORDER BY id',
      ['1 | 14.2900', '2 | 42.8600', '3 | 85.7200', '4 | 142.8600', '5 | 214.2900', '6 | 300.0000'],
    ],
    [
      'SELECT id, AVG(id) OVER (ORDER BY id) FROM visits ORDER BY id',
      ['1 | 1.0000', '2 | 1.5000', '3 | 2.0000', '4 | 2.5000', '5 | 3.0000', '6 | 3.5000'],
    ],
    [
      'SELECT id, AVG(price) OVER (ORDER BY id ROWS 1 PRECEDING) FROM visits ORDER BY id',
      ['1 | 1.500000', '2 | 1.875000', '3 | 2.250000', '4 | 10.000000', '5 | 5.495000', '6 | 0.495000'],
    ],
    [
      'SELECT id, LAG(id/7) OVER (ORDER BY id) * 100 FROM visits ORDER BY id',
      ['1 | NULL', '2 | 14.2900', '3 | 28.5700', '4 | 42.8600', '5 | 57.1400', '6 | 71.4300'],
    ],
    [
      'SELECT id, id / SUM(id) OVER () FROM visits ORDER BY id',
      ['1 | 0.0476', '2 | 0.0952', '3 | 0.1429', '4 | 0.1905', '5 | 0.2381', '6 | 0.2857'],
    ],
    [
      'SELECT id, ROUND(100 * id / SUM(id) OVER (), 2) FROM visits ORDER BY id',
      ['1 | 4.76', '2 | 9.52', '3 | 14.29', '4 | 19.05', '5 | 23.81', '6 | 28.57'],
    ],
    ['SELECT LAG(id, 1, 0 -- first\n) OVER (ORDER BY id) FROM visits ORDER BY id LIMIT 2', ['0', '1']],
    [
      'SELECT id, LAG(tiny) OVER (ORDER BY day, id), LEAD(tiny, 2) OVER (ORDER BY day, id) FROM things ORDER BY id',
      [
        '1 | -1 | 5',
        '2 | 5 | 0',
        '3 | 5 | NULL',
        '4 | NULL | 5',
        '5 | 1 | 127',
        '6 | 0 | NULL',
        '7 | 9 | 1',
        '8 | NULL | -1',
      ],
    ],
    [
      'SELECT id, SUM(tiny) OVER (ORDER BY tiny) FROM things ORDER BY id',
      ['1 | 0', '2 | -1', '3 | 146', '4 | NULL', '5 | -1', '6 | 10', '7 | 10', '8 | 19'],
    ],
    [
      'SELECT id, SUM(tiny) OVER (ORDER BY tiny DESC) FROM things ORDER BY id',
      ['1 | 147', '2 | 146', '3 | 127', '4 | 146', '5 | 147', '6 | 146', '7 | 146', '8 | 136'],
    ],
    [
      'SELECT id, COUNT(*) OVER (ORDER BY day), COUNT(tiny) OVER (PARTITION BY big ORDER BY id) FROM things ORDER BY id',
      ['1 | 5 | 1', '2 | 4 | 1', '3 | 8 | 1', '4 | 1 | 0', '5 | 6 | 1', '6 | 7 | 1', '7 | 3 | 2', '8 | 2 | 1'],
    ],
    [
      'SELECT id, SUM(tiny) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) FROM things ORDER BY id',
      ['1 | NULL', '2 | 1', '3 | 0', '4 | 127', '5 | 127', '6 | 127', '7 | 132', '8 | 137'],
    ],
    [
      'SELECT id, SUM(id) OVER (ORDER BY id RANGE BETWEEN 2 PRECEDING AND CURRENT ROW) FROM things ORDER BY id',
      ['1 | 1', '2 | 3', '3 | 6', '4 | 9', '5 | 12', '6 | 15', '7 | 18', '8 | 21'],
    ],
    [
      'SELECT id, SUM(id) OVER (ORDER BY tiny RANGE BETWEEN 5 PRECEDING AND 5 FOLLOWING) FROM things ORDER BY id',
      ['1 | 21', '2 | 8', '3 | 3', '4 | 4', '5 | 21', '6 | 27', '7 | 27', '8 | 21'],
    ],
    [
      'SELECT id, FIRST_VALUE(name) OVER (ORDER BY id), LAST_VALUE(id) OVER (ORDER BY id), LAST_VALUE(id) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM things ORDER BY id',
      [
        '1 | 😀 face | 1 | 8',
        '2 | 😀 face | 2 | 8',
        '3 | 😀 face | 3 | 8',
        '4 | 😀 face | 4 | 8',
        '5 | 😀 face | 5 | 8',
        '6 | 😀 face | 6 | 8',
        '7 | 😀 face | 7 | 8',
        '8 | 😀 face | 8 | 8',
      ],
    ],
    [
      'SELECT id, NTH_VALUE(id, 2) OVER (ORDER BY id), NTILE(3) OVER (ORDER BY id), CUME_DIST() OVER (ORDER BY id) FROM things ORDER BY id',
      [
        '1 | NULL | 1 | 0.125',
        '2 | 2 | 1 | 0.25',
        '3 | 2 | 1 | 0.375',
        '4 | 2 | 2 | 0.5',
        '5 | 2 | 2 | 0.625',
        '6 | 2 | 2 | 0.75',
        '7 | 2 | 3 | 0.875',
        '8 | 2 | 3 | 1',
      ],
    ],
    [
      'SELECT id, CUME_DIST() OVER (ORDER BY tiny) FROM things ORDER BY id',
      ['1 | 0.5', '2 | 0.25', '3 | 1', '4 | 0.125', '5 | 0.375', '6 | 0.75', '7 | 0.75', '8 | 0.875'],
    ],
    [
      'SELECT id, AVG(tiny) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM things ORDER BY id',
      [
        '1 | 1.0000',
        '2 | 0.0000',
        '3 | 42.3333',
        '4 | 63.0000',
        '5 | 63.5000',
        '6 | 2.5000',
        '7 | 3.3333',
        '8 | 6.3333',
      ],
    ],
    [
      'SELECT id, MAX(day) OVER (ORDER BY id), MIN(name) OVER (ORDER BY id) FROM things ORDER BY id',
      [
        '1 | 2020-02-29 | 😀 face',
        '2 | 2020-02-29 | Ünïcode',
        '3 | 2024-12-30 | Ünïcode',
        '4 | 2024-12-30 | Ünïcode',
        '5 | 2024-12-30 | ',
        '6 | 2024-12-30 | ',
        '7 | 2024-12-30 | ',
        '8 | 2024-12-30 | ',
      ],
    ],
    [
      'SELECT id, ROW_NUMBER() OVER w, RANK() OVER w, DENSE_RANK() OVER w FROM things WINDOW w AS (ORDER BY big, day) ORDER BY id',
      [
        '1 | 7 | 7 | 7',
        '2 | 8 | 8 | 8',
        '3 | 2 | 2 | 2',
        '4 | 1 | 1 | 1',
        '5 | 6 | 6 | 6',
        '6 | 5 | 5 | 5',
        '7 | 4 | 4 | 4',
        '8 | 3 | 3 | 3',
      ],
    ],
    [
      'SELECT id, AVG(pages) OVER () * 100 FROM visits ORDER BY id',
      ['1 | 320.0000', '2 | 320.0000', '3 | 320.0000', '4 | 320.0000', '5 | 320.0000', '6 | 320.0000'],
    ],
    [
      'SELECT id, AVG(pages) OVER () * 100, AVG(pages) OVER () / 3 FROM visits ORDER BY id',
      [
        '1 | 320.0000 | 1.06666667',
        '2 | 320.0000 | 1.06666667',
        '3 | 320.0000 | 1.06666667',
        '4 | 320.0000 | 1.06666667',
        '5 | 320.0000 | 1.06666667',
        '6 | 320.0000 | 1.06666667',
      ],
    ],
    [
      'SELECT id, SUM(id) OVER () / 7 * 100 FROM visits ORDER BY id',
      ['1 | 300.0000', '2 | 300.0000', '3 | 300.0000', '4 | 300.0000', '5 | 300.0000', '6 | 300.0000'],
    ],
    [
      'SELECT city c, COUNT(*) / SUM(COUNT(*)) OVER () p FROM visits GROUP BY city ORDER BY c',
      ['NULL | 0.1667', 'Lima | 0.1667', 'Oslo | 0.3333', 'Rome | 0.1667', 'rome | 0.1667'],
    ],
    [
      'SELECT city c, COUNT(*) n, SUM(COUNT(*)) OVER () p FROM visits GROUP BY city ORDER BY n DESC, c',
      ['Oslo | 2 | 6', 'NULL | 1 | 6', 'Lima | 1 | 6', 'Rome | 1 | 6', 'rome | 1 | 6'],
    ],
    [
      'SELECT id c, SUM(pages) OVER () p FROM visits ORDER BY c',
      ['1 | 16', '2 | 16', '3 | 16', '4 | 16', '5 | 16', '6 | 16'],
    ],
    ['SELECT id c, SUM(pages) OVER (PARTITION BY city) p FROM visits ORDER BY c LIMIT 3', ['1 | 3', '2 | 5', '3 | 1']],
    [
      'SELECT day d, SUM(COUNT(*)) OVER () p FROM visits GROUP BY day ORDER BY d',
      ['NULL | 6', '2020-01-05 | 6', '2020-01-06 | 6', '2020-01-31 | 6', '2020-02-29 | 6', '2020-03-01 | 6'],
    ],
    [
      'SELECT * FROM (SELECT id c, SUM(COUNT(*)) OVER () p FROM visits GROUP BY id) x ORDER BY c',
      ['1 | 6', '2 | 6', '3 | 6', '4 | 6', '5 | 6', '6 | 6'],
    ],
  ]);
});

import type { Macro } from './macro.js';

/** Macros for dates and times. */
export const DATES: readonly Macro[] = [
  ['micros_between(a, b)', 'epoch_us(b) - epoch_us(a)'],
  ['micros_into_month(x)', "epoch_us(x) - epoch_us(date_trunc('month', x))"],
  [
    'whole_months(x, y)',
    `(year(y) - year(x)) * 12 + month(y) - month(x) + CASE
       WHEN y >= x AND mysql.micros_into_month(y) < mysql.micros_into_month(x) THEN -1
       WHEN y < x AND mysql.micros_into_month(y) > mysql.micros_into_month(x) THEN 1 ELSE 0 END`,
  ],
  // A text that is a date stays the text of a date when whole days are added.
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
    `CASE WHEN n NOT BETWEEN 0 AND 86399 THEN error('a TIME must be within one day')
       ELSE TIME '00:00:00' + to_seconds(CAST(trunc(n) AS BIGINT)) END`,
  ],
  ['now()', 'make_timestamp(epoch_us(now()))'],
];

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WAREHOUSE_FOLDER } from './folder.js';
import type { Tables } from './store/store.js';

/** The rows that a version brings with its tables, by its number. */
export const SEEDS: Readonly<Record<number, (tables: Tables) => Promise<void>>> = {
  1: seedCalendar,
  3: seedCountryNames,
  4: (tables) => tables.run('UPDATE github_repos SET repo_name_lower = LOWER(repo_name)'),
};

/** Every day that a `from` or `to` may sensibly name: those of a century. */
function seedCalendar(tables: Tables): Promise<void> {
  const digits = `(${Array.from({ length: 10 }, (_, digit) => `SELECT ${digit} AS d`).join(' UNION ALL ')})`;
  return tables.insert(
    'calendar_days',
    ['day', 'week', 'month'],
    `SELECT day, DATE_SUB(day, INTERVAL WEEKDAY(day) DAY), DATE_SUB(day, INTERVAL (DAYOFMONTH(day) - 1) DAY)
     FROM (
       SELECT DATE_ADD(CAST('2000-01-01' AS DATE), INTERVAL (a.d + b.d * 10 + c.d * 100 + d.d * 1000 + e.d * 10000) DAY) AS day
       FROM ${digits} a CROSS JOIN ${digits} b CROSS JOIN ${digits} c CROSS JOIN ${digits} d CROSS JOIN ${digits} e
       WHERE e.d < 4
     ) days
     WHERE day < '2100-01-01'
     ORDER BY day`,
  );
}

/** A line has a code and the names of one country, as people write it in many languages, between tabs. */
async function seedCountryNames(tables: Tables): Promise<void> {
  const text = await readFile(join(WAREHOUSE_FOLDER, 'country-names.tsv'), 'utf8');
  const rows = text
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const [code = '', ...names] = line.split('\t');
      return names.map((name) => [name, code]);
    });
  await tables.insertRows('country_names', rows);
}

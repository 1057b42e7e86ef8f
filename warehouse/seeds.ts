import { NAME_TABLES } from './derived/tables.js';
import { tabbedRows } from './folder.js';
import { rewriteOrganizations } from './organizations.js';
import type { Tables } from './store/store.js';

/** The rows that a version brings with its tables, by its number. */
export const SEEDS: Readonly<Record<number, (tables: Tables) => Promise<void>>> = {
  1: seedCalendar,
  3: seedCountryNames,
  4: (tables) => tables.run('UPDATE github_repos SET repo_name_lower = LOWER(repo_name)'),
  7: fillNames,
  9: followNewNames,
};

/** Every day that a `from` or `to` may sensibly name: those of a century, with the Monday and the first of the month. */
function seedCalendar(tables: Tables): Promise<void> {
  const rows: string[][] = [];
  for (let time = Date.UTC(2000, 0, 1); time < Date.UTC(2100, 0, 1); time += DAY_MS) {
    const day = dayOf(time);
    const daysSinceMonday = (new Date(time).getUTCDay() + 6) % 7;
    rows.push([day, dayOf(time - daysSinceMonday * DAY_MS), `${day.slice(0, 7)}-01`]);
  }
  return tables.insertRows('calendar_days', rows);
}

const DAY_MS = 86_400_000;

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

async function followNewNames(tables: Tables): Promise<void> {
  await tables.run('DELETE FROM country_names');
  await seedCountryNames(tables);
  await rewriteOrganizations(tables);
}

/** The names by which repositories and accounts are found, of all that are there. */
export async function fillNames(tables: Tables): Promise<void> {
  for (const { name, columns, select } of NAME_TABLES) await tables.insert(name, columns, select('TRUE'));
}

/** A line has a code and the names of one country, as people write it in many languages, between tabs. */
async function seedCountryNames(tables: Tables): Promise<void> {
  const rows = await tabbedRows('country-names.tsv');
  await tables.insertRows(
    'country_names',
    rows.flatMap(([code = '', ...names]) => names.map((name) => [name, code])),
  );
}

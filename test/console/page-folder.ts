import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type LoadedPages, PageLoader } from '../../console/pages/page-loader.js';
import { formatProblem, loadEndpoints } from '../../engine/index.js';

const SALES = `name: sales
path: /v1/ovens/{oven}/sales/
summary: Sales of an oven
params:
  oven: { in: path, type: integer, minimum: 1, description: Oven }
  per: { in: query, enum: [day, week], default: day, description: Interval }
  from: { in: query, type: string, format: date, default: '2026-01-01', description: First day }
columns:
  - { col: day, data_type: DATE, nullable: false, description: Day }
  - { col: kind, data_type: VARCHAR, nullable: false, description: Kind of bread }
  - { col: loaves, data_type: BIGINT, nullable: false, description: Loaves sold }
  - { col: revenue, data_type: DECIMAL, scale: 2, nullable: false, description: Revenue }
sql: |
  SELECT s.day, s.kind, s.loaves, s.revenue FROM sales s
  WHERE s.oven = {{ oven }} AND s.day >= {{ from }} {% case per %}{% when 'day' %}{% when 'week' %}AND 1 = 1{% endcase %}
  ORDER BY s.day, s.kind, s.loaves, s.revenue
data_as_of: SELECT MAX(day) FROM sales
cache: { ttl: 60s }
`;

const BAKERS = `name: bakers
summary: Bakers of ovens
params:
  ovens: { in: query, type: array, items: { type: string }, maxItems: 3, required: true, description: Ovens }
pagination: { default: 10, max: 50 }
columns:
  - { col: login, data_type: VARCHAR, nullable: false, description: Login }
sql: SELECT b.login FROM bakers b WHERE b.oven IN ({{ ovens }}) ORDER BY b.login
data_as_of: SELECT MAX(hired_at) FROM bakers
cache: { ttl: 60s }
`;

/** The definitions that the test pages show. */
export const DEFINITIONS: Readonly<Record<string, string>> = {
  'sales.yaml': SALES,
  'bakers.yaml': BAKERS,
  'broken.yaml': SALES.replace('name: sales', 'name: broken-sales')
    .replace('/sales/', '/broken/')
    .replace('day,', 'dy,'),
};

export const PAGE = `name: oven
path: /p/ovens/{oven}
title: Oven {oven}
summary: What an oven sold.
params:
  oven: { in: path, type: integer, minimum: 1, description: Oven }
  per: { in: query, enum: [day, week], default: day, description: Interval }
blocks:
  - text: The sales of **{oven}**.
  - endpoint: sales
    params: { oven: '{oven}', per: '{per}' }
    chart: { chartName: LineChart, x: day, y: [loaves] }
    width: half
  - endpoint: bakers
    params: { ovens: ['oven-{oven}'] }
    rows: 5
`;

/** Creates a folder with these files, calls `work`, and then removes the folder. */
export async function inFolder<T>(
  files: Readonly<Record<string, string>>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'repo-insight-pages-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Loads the pages of one or several folders, and checks them against `DEFINITIONS`. */
export function loadPages(
  files: Readonly<Record<string, string>>,
  folders: readonly string[] = ['pages'],
): Promise<LoadedPages> {
  const placed = Object.entries(DEFINITIONS).map(([name, text]) => [`endpoints/${name}`, text]);
  return inFolder({ ...files, ...Object.fromEntries(placed) }, async (folder) => {
    const loaded = await new PageLoader(folders.map((one) => join(folder, one))).load(
      await loadEndpoints(join(folder, 'endpoints')),
    );
    const relative = JSON.parse(JSON.stringify(loaded).replaceAll(`${folder}/`, '')) as LoadedPages;
    return relative;
  });
}

/** Returns the problems of a single page, as lines. */
export async function problemsOf(text: string): Promise<string[]> {
  const { problems } = await loadPages({ 'pages/oven.yaml': text });
  return problems.map(formatProblem);
}

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../cli/command-line.js';

/** A tenant's rows in the tables of the API. */
export const ORDERS = [
  { id: '1', tenant: 'acme', country: 'DE', total: '10' },
  { id: '2', tenant: 'acme', country: 'FR', total: '20' },
  { id: '3', tenant: 'other', country: 'DE', total: '30' },
  { id: '4', tenant: 'other', country: 'JP', total: '40' },
  { id: '5', tenant: 'other', country: 'JP', total: '50' },
] as const;

const COUNTRIES = ['DE', 'FR', 'JP'];

type Row = Readonly<Record<string, string>>;

/** The parts of a caller that decide what the caller can read. */
export interface Rights {
  /** Whether the credential is valid. */
  readonly isValid: boolean;
  readonly id: string;
  readonly roles: readonly string[];
  readonly claims: Readonly<Record<string, unknown>>;
  /** Undefined for credentials other than API keys. */
  readonly scopes?: readonly string[];
}

export interface TestedDefinition {
  readonly name: string;
  readonly access?: readonly string[];
  readonly tags?: readonly string[];
  readonly columns: readonly string[];
  readonly keys: string;
  /** The names of the claims that its queries bind. */
  readonly claims: readonly string[];
  /** Whether its rows depend on the caller. */
  readonly isRestricted?: true;
  readonly rowsOf: (rights: Rights) => readonly Row[];
}

const ordersOf = ({ claims }: Rights) => ORDERS.filter(({ tenant }) => tenant === claims.tenant);
const countries = () => COUNTRIES.map((code) => ({ code }));
const OF_COUNTRIES = {
  columns: ['code'],
  keys: 'sql: SELECT code FROM countries ORDER BY code',
  claims: [],
  rowsOf: countries,
};

/** Definitions with every kind of access and of queries. The access of `api.yaml` is `key`. */
export const DEFINITIONS: readonly TestedDefinition[] = [
  { ...OF_COUNTRIES, name: 'open', access: ['public'] },
  { ...OF_COUNTRIES, name: 'members', access: ['signed-in'] },
  { ...OF_COUNTRIES, name: 'programs', access: ['key'] },
  { ...OF_COUNTRIES, name: 'staff', access: ['role:staff'] },
  { ...OF_COUNTRIES, name: 'staff-or-programs', access: ['role:staff', 'key'], tags: ['Reports'] },
  { ...OF_COUNTRIES, name: 'inherited' },
  {
    name: 'orders',
    columns: ['id', 'total'],
    tags: ['Reports'],
    keys: 'pagination: { default: 2, max: 10, total: true }\nsql: SELECT id, total FROM orders ORDER BY id\ndata_as_of: SELECT MAX(day) FROM orders',
    claims: ['tenant'],
    isRestricted: true,
    rowsOf: (rights) =>
      ordersOf(rights)
        .slice(0, 2)
        .map(({ id, total }) => ({ id, total })),
  },
  {
    name: 'count-orders',
    access: ['signed-in'],
    columns: ['orders', 'total'],
    keys: 'sql: SELECT COUNT(*) AS orders, SUM(o.total) AS total FROM orders AS o',
    claims: ['tenant'],
    isRestricted: true,
    rowsOf: (rights) => {
      const own = ordersOf(rights);
      return [{ orders: `${own.length}`, total: `${own.reduce((sum, { total }) => sum + Number(total), 0)}` }];
    },
  },
  {
    name: 'export-orders',
    access: ['signed-in'],
    columns: ['id'],
    keys: 'limits: { rows: 10, stream_rows: 100 }\nsql: SELECT id FROM orders ORDER BY id',
    claims: ['tenant'],
    isRestricted: true,
    rowsOf: (rights) => ordersOf(rights).map(({ id }) => ({ id })),
  },
  {
    name: 'who-am-i',
    access: ['signed-in'],
    columns: ['id'],
    keys: 'sql: SELECT {{ caller.id }} AS id',
    claims: [],
    isRestricted: true,
    rowsOf: ({ id }) => [{ id }],
  },
  {
    name: 'region',
    access: ['key', 'role:staff'],
    columns: ['region'],
    keys: 'sql: SELECT {{ caller.claims.region }} + 0 AS region',
    claims: ['region'],
    isRestricted: true,
    rowsOf: ({ claims }) => [{ region: `${claims.region}` }],
  },
  {
    name: 'countries-of-orders',
    access: ['signed-in'],
    columns: ['code', 'orders'],
    keys: `params:
  country: { in: query, type: string, enum: { sql: SELECT code FROM countries }, default: DE, description: C. }
sql: |
  WITH own AS (SELECT * FROM orders)
  SELECT c.code, (SELECT COUNT(*) FROM own WHERE own.country = c.code) AS orders
  FROM countries c WHERE c.code = {{ country }}
    AND (SELECT COUNT(*) FROM orders) >= ({% once %}SELECT COUNT(*) FROM orders{% endonce %})`,
    claims: ['tenant'],
    isRestricted: true,
    rowsOf: (rights) => {
      const own = ordersOf(rights).filter(({ country }) => country === 'DE').length;
      return ordersOf(rights).length === 0 ? [] : [{ code: 'DE', orders: `${own}` }];
    },
  },
];

/** Writes the folder of an API over files, with these definitions. */
export async function writeTenants(folder: string): Promise<void> {
  for (const name of ['endpoints', 'tables', 'data']) await mkdir(join(folder, name), { recursive: true });
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  await write(
    'api.yaml',
    'title: Tenants\naccess: key\nclaims:\n  tenant: { type: string, example: acme }\n  region: { type: integer, example: 7 }\n',
  );
  await write('tables/orders.yaml', 'source: data/orders.csv\nrow_filter: tenant = {{ caller.claims.tenant }}\n');
  await write('tables/countries.yaml', 'source: data/countries.csv\n');
  const rows = ORDERS.map((order) => [...Object.values(order), '2026-01-02'].join());
  await write('data/orders.csv', `${['id,tenant,country,total,day', ...rows].join('\n')}\n`);
  await write('data/countries.csv', `${['code', ...COUNTRIES].join('\n')}\n`);
  for (const definition of DEFINITIONS) await write(`endpoints/${definition.name}.yaml`, textOf(definition));
}

function textOf({ name, access, tags, columns, keys }: TestedDefinition): string {
  const declared = columns.map((col) => `  - { col: ${col}, data_type: VARCHAR, nullable: true, description: C. }`);
  return [
    `name: ${name}`,
    `path: /v1/${name}/`,
    `summary: Test of ${name}`,
    ...(access === undefined ? [] : [`access: ${access.length === 1 ? access[0] : JSON.stringify(access)}`]),
    ...(tags === undefined ? [] : [`tags: ${JSON.stringify(tags)}`]),
    'columns:',
    ...declared,
    keys,
    '',
  ].join('\n');
}

/** Creates a key with the command line. */
export async function createKey(
  folder: string,
  words: readonly string[],
): Promise<{ readonly id: string; readonly secret: string }> {
  const { code, out, err } = await run(['keys', 'create', ...words, '--json'], { cwd: folder });
  if (code !== 0) throw new Error(err);
  return JSON.parse(out) as { id: string; secret: string };
}

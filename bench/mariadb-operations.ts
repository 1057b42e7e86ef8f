import { demoSettings, serverVariables } from './demo-service.js';
import { type Figure, inTurn, median } from './measure.js';
import { onMariaDb } from './on-mariadb.js';
import { makeWorld, requestOf, timeOf, type World } from './world.js';

const EVENTS = 5_000_000;
const ROUNDS = 40;
const BAR_MS = 50;
/** Lists that are short whatever the history, such as that of the collections, may be read as a whole. */
const SCANNED_ROWS = 10_000;
const NAME = 'mariadb operations';

/** How long each operation takes over many events, and whether the server reads a large table as a whole for it. */
export async function benchMariaDbOperations(folder: string, say: (text: string) => void): Promise<Figure[]> {
  return onMariaDb(NAME, async (url) => {
    say(`making a demo of ${EVENTS} events`);
    const world = await makeWorld(demoSettings(folder, serverVariables(url)), EVENTS);
    try {
      const names = world.engine.endpoints.map(({ definition }) => definition.name);
      say(`${ROUNDS} rounds of ${names.length} operations`);
      const works = names.map((name) => [name, () => timeOf(world, name)] as const);
      const times = await inTurn(ROUNDS, Object.fromEntries(works));
      const plans = new Map<string, readonly TableAccess[]>();
      for (const name of names) plans.set(name, await planOf(world, name));
      return [...names.map((name) => timeFigure(name, times[name] ?? [], plans.get(name) ?? [])), scanFigure(plans)];
    } finally {
      await world.warehouse.close();
    }
  });
}

/** A table, or an intermediate result, as MariaDB's EXPLAIN has it. */
interface TableAccess {
  readonly table: string;
  /** `const`, `eq_ref`, `ref`, `range`, `index` or `ALL`; of a query that reads no table there is none. */
  readonly type: string;
  readonly key: string;
  readonly rows: number;
}

async function planOf(world: World, name: string): Promise<TableAccess[]> {
  const { endpoint, raw } = requestOf(world, name);
  const { columns, rows } = await world.engine.explain(endpoint, raw);
  return rows.map((row) => {
    const { table, type, key, rows: read } = Object.fromEntries(columns.map(({ name }, index) => [name, row[index]]));
    return { table: text(table), type: text(type), key: text(key), rows: Number(read ?? 0) };
  });
}

function text(cell: unknown): string {
  return cell === null || cell === undefined ? '' : String(cell);
}

function timeFigure(name: string, times: readonly number[], plan: readonly TableAccess[]): Figure {
  const tables = plan.filter(isTable).map(({ table, type, key }) => `${table} ${type}${key === '' ? '' : ` ${key}`}`);
  return {
    name: `${NAME}: ${name}`,
    value: median(times),
    unit: 'ms',
    bar: BAR_MS,
    keeps: 'at most',
    detail: tables.join(', '),
  };
}

function scanFigure(plans: ReadonlyMap<string, readonly TableAccess[]>): Figure {
  const scans = [...plans].flatMap(([name, plan]) =>
    plan.filter(isScan).map(({ table, rows }) => `${name} reads ${table}, about ${rows} rows`),
  );
  return {
    name: `${NAME}: full scans`,
    value: scans.length,
    unit: 'scans',
    bar: 0,
    keeps: 'at most',
    detail: scans.join('; ') || `of tables with more than ${SCANNED_ROWS} rows`,
  };
}

/** Intermediate results are called `<derived2>` and the like. */
function isTable({ table, type }: TableAccess): boolean {
  return type !== '' && !table.startsWith('<');
}

function isScan(access: TableAccess): boolean {
  return isTable(access) && (access.type === 'ALL' || access.type === 'index') && access.rows > SCANNED_ROWS;
}

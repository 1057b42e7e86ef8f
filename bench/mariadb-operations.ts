import { demoSettings, serverVariables } from './demo-service.js';
import { alternate, type Figure, median } from './measure.js';
import { withMariaDb } from './with-mariadb.js';
import { createWorld, requestOf, timeOf, type World } from './world.js';

const EVENTS = 5_000_000;
const ROUNDS = 40;
const TARGET_MS = 50;
/**
 * The maximum number of rows of a table that a query may scan completely. Small tables, such as the collections, do not grow with the
 * number of events.
 */
const SCANNED_ROWS = 10_000;
const NAME = 'mariadb operations';

/** Measures each operation with many events, and counts the full scans of large tables. */
export async function benchMariaDbOperations(folder: string, log: (text: string) => void): Promise<Figure[]> {
  return withMariaDb(NAME, async (url) => {
    log(`creating a demo of ${EVENTS} events`);
    const world = await createWorld(demoSettings(folder, serverVariables(url)), EVENTS);
    try {
      const names = world.engine.endpoints.map(({ definition }) => definition.name);
      log(`${ROUNDS} rounds of ${names.length} operations`);
      const works = names.map((name) => [name, () => timeOf(world, name)] as const);
      const times = await alternate(ROUNDS, Object.fromEntries(works));
      const plans = new Map<string, readonly TableAccess[]>();
      for (const name of names) plans.set(name, await planOf(world, name));
      return [...names.map((name) => timeFigure(name, times[name] ?? [], plans.get(name) ?? [])), scanFigure(plans)];
    } finally {
      await world.warehouse.close();
    }
  });
}

/** A row of MariaDB's EXPLAIN result: a table or an intermediate result. */
interface TableAccess {
  readonly table: string;
  /** The access type, such as `const`, `eq_ref`, `ref`, `range`, `index` or `ALL`; empty if the query reads no table. */
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
    target: TARGET_MS,
    bound: 'at most',
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
    target: 0,
    bound: 'at most',
    detail: scans.join('; ') || `of tables with more than ${SCANNED_ROWS} rows`,
  };
}

/** Whether a row of EXPLAIN is about a stored table. Intermediate results have names such as `<derived2>`. */
function isTable({ table, type }: TableAccess): boolean {
  return type !== '' && !table.startsWith('<');
}

function isScan(access: TableAccess): boolean {
  return isTable(access) && (access.type === 'ALL' || access.type === 'index') && access.rows > SCANNED_ROWS;
}

import type {
  EndpointDefinition,
  FixtureDefinition,
  ItemDefinition,
  MaterializeDefinition,
  NestDefinition,
  ParameterDefinition,
} from './definition.js';

const DEFAULT_ROWS = 1000;
const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_REFRESH_MS = 3_600_000;
const DEFAULT_STORED_ROWS = 1_000_000;
const DEFAULT_REFRESH_TIMEOUT_MS = 600_000;
const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Applies defaults. Keys with problems are treated as absent, so later checks do not read them. */
export function normalizeDefinition(
  value: Readonly<Record<string, unknown>>,
  broken: ReadonlySet<string>,
): EndpointDefinition {
  const sound = Object.fromEntries(Object.entries(withoutFileKeys(value)).filter(([key]) => !broken.has(key)));
  const params = (sound.params ?? {}) as Record<string, ParameterDefinition>;
  const fixtures = (sound.fixtures ?? []) as readonly (Omit<FixtureDefinition, 'params'> &
    Partial<FixtureDefinition>)[];
  const limits = (sound.limits ?? {}) as {
    rows?: number;
    stream_rows?: number;
    timeout?: string;
    requests?: string;
    concurrency?: number;
  };
  const { stale_after: staleAfter, serve_stale: serveStale, cache, nest, access, materialize, ...others } = sound;
  const [list] = Object.entries((nest ?? {}) as Record<string, Omit<NestDefinition, 'name'>>);
  const ttlMs = milliseconds((cache as { ttl?: string } | undefined)?.ttl);
  return {
    questions: [],
    tags: [],
    overrides: false,
    lint: {},
    columns: [],
    notices: [],
    examples: [],
    sql: '',
    summary: '',
    name: '',
    ...others,
    ...(access !== undefined && { access: [access as string | readonly string[]].flat() }),
    ...(materialize !== undefined && { materialize: normalizeMaterialize(materialize as WrittenMaterialize) }),
    ...(list !== undefined && { nest: { name: list[0], ...list[1] } }),
    fixtures: fixtures.map((fixture) => ({ params: {}, ...fixture })),
    params: Object.fromEntries(
      Object.entries(params).map(([name, parameter]) => [name, normalizeParameter(parameter)]),
    ),
    limits: {
      rows: limits.rows ?? DEFAULT_ROWS,
      ...(limits.stream_rows !== undefined && { streamRows: limits.stream_rows }),
      timeoutMs: milliseconds(limits.timeout) ?? DEFAULT_TIMEOUT_MS,
      ...(limits.requests !== undefined && { requests: requestLimitOf(limits.requests) }),
      ...(limits.concurrency !== undefined && { concurrency: limits.concurrency }),
    },
    ...(staleAfter !== undefined && { staleAfterMs: milliseconds(String(staleAfter)) ?? 0 }),
    ...(ttlMs !== undefined && { cacheTtlMs: ttlMs }),
    serveStaleMs: milliseconds(serveStale as string | undefined) ?? 0,
  };
}

/** Removes the keys that describe the file and not the endpoint. */
export function withoutFileKeys({ $schema: _, shared: __, ...definition }: Readonly<Record<string, unknown>>) {
  return definition;
}

/** Adds the type of an enum, and moves a query for allowed values from `enum` to `choices`. */
export function normalizeParameter(parameter: ParameterDefinition): ParameterDefinition {
  const { items } = parameter;
  const typed = { ...withChoices(parameter), ...typeOfEnum(parameter) };
  return items === undefined ? typed : { ...typed, items: { ...withChoices(items), ...typeOfEnum(items) } };
}

/** Moves a query for allowed values from `enum` to `choices`. */
function withChoices<Values extends ItemDefinition>(values: Values): Values {
  const { enum: given, ...others }: { readonly enum?: unknown } = values;
  if (given === undefined || Array.isArray(given)) return values;
  const { sql, refresh } = given as { readonly sql: string; readonly refresh?: string };
  return { ...others, choices: { sql, refreshMs: milliseconds(refresh) ?? DEFAULT_REFRESH_MS } } as unknown as Values;
}

function typeOfEnum({
  type,
  enum: values,
}: ParameterDefinition | ItemDefinition): Pick<ItemDefinition, 'type'> | object {
  if (type !== undefined || !Array.isArray(values)) return {};
  if (values.every((value) => Number.isSafeInteger(value))) return { type: 'integer' };
  return { type: values.every((value) => typeof value === 'number') ? 'number' : 'string' };
}

interface WrittenMaterialize extends Partial<Pick<MaterializeDefinition, 'after' | 'rows' | 'watermark'>> {
  readonly key: readonly string[];
  readonly every?: string;
  readonly full?: string;
  readonly timeout?: string;
}

function normalizeMaterialize(written: WrittenMaterialize): MaterializeDefinition {
  const { every, after = [], key, watermark, full, rows = DEFAULT_STORED_ROWS, timeout } = written;
  const [everyMs, fullMs] = [milliseconds(every), milliseconds(full)];
  return {
    ...(everyMs !== undefined && { everyMs }),
    after: after.map((table) => table.toLowerCase()),
    key,
    ...(watermark !== undefined && { watermark }),
    ...(fullMs !== undefined && { fullMs }),
    rows,
    timeoutMs: milliseconds(timeout) ?? DEFAULT_REFRESH_TIMEOUT_MS,
  };
}

const WINDOW_SECONDS: Readonly<Record<string, number>> = { min: 60, hour: 3_600, day: 86_400 };

/** Reads a limit such as `60/min`. */
function requestLimitOf(text: string): NonNullable<EndpointDefinition['limits']['requests']> {
  const [points = '', unit = ''] = text.split('/');
  return { points: Number(points), seconds: WINDOW_SECONDS[unit] ?? 0 };
}

function milliseconds(text: string | undefined): number | undefined {
  const [, count, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(text ?? '') ?? [];
  return count === undefined ? undefined : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

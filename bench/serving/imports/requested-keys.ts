import { createRandom } from '../../../demo/world/random.js';
import { type Endpoint, type ParameterDefinition, rawFromValues } from '../../../engine/index.js';

type Value = string | number | boolean;

/** The maximum number of attempts per operation to create another different request. */
const ATTEMPTS = 400;

/**
 * Returns different requests for all operations, as paths with a query. As in real requests, most parameters have their defaults. The
 * random order is the same for the same endpoints and repositories.
 */
export function createKeys(endpoints: readonly Endpoint[], repositories: readonly string[]): string[] {
  const random = createRandom(1, 'requested keys').unit;
  const keys = new Set<string>();
  for (const endpoint of endpoints) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) keys.add(keyOf(endpoint, repositories, random));
  }
  return [...keys]
    .map((key) => ({ key, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ key }) => key);
}

/**
 * Returns a function that draws keys with the frequencies of Zipf's law: the second key is drawn half as often as the first, the third key
 * a third as often.
 */
export function drawByZipf(keys: readonly string[]): () => string {
  const random = createRandom(2, 'requested keys').unit;
  let sum = 0;
  const sums = keys.map((_, index) => {
    sum += 1 / (index + 1);
    return sum;
  });
  return () => {
    const wanted = random() * sum;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return keys[low] ?? '';
  };
}

function keyOf(endpoint: Endpoint, repositories: readonly string[], random: () => number): string {
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)];
  const [owner = '', repo = ''] = (pick(repositories) ?? '').split('/');
  const values: Record<string, Value> = {};
  for (const [name, parameter] of Object.entries(endpoint.parameters)) {
    if (name === 'owner') values[name] = owner;
    else if (name === 'repo') values[name] = repo;
    else if (parameter.in === 'path') values[name] = 1 + Math.floor(random() * COLLECTIONS);
    else if (random() < CHANGED) {
      const value = pick(candidatesOf(name, parameter));
      if (value !== undefined) values[name] = value;
    }
  }
  const raw = rawFromValues(endpoint.parameters, values);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(raw.query)) query.append(name, String(value));
  const path = (endpoint.definition.path ?? '').replace(/\{(\w+)\}/g, (_, name: string) => raw.path[name] ?? '');
  return query.size === 0 ? path : `${path}?${query}`;
}

/** `COLLECTIONS` is the number of collections in requests. `CHANGED` is the share of optional parameters that do not have their default. */
const [COLLECTIONS, CHANGED] = [8, 0.3];

function candidatesOf(name: string, { enum: allowed, type, format }: ParameterDefinition): readonly Value[] {
  if (allowed !== undefined) return allowed;
  if (type === 'boolean') return [true, false];
  if (format === 'date') return name === 'from' ? ['2024-01-01', '2025-01-01'] : ['2030-01-01', '2035-01-01'];
  return name === 'page' ? [1, 2, 3] : [];
}

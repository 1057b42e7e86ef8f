import { type Endpoint, EngineError, type ParameterValues } from '../../engine/index.js';
import type { ChosenDefinition } from '../../explorer/questions/question.js';

/**
 * Returns whether two choices request the same rows: the definition and all parameters, with defaults, are equal. Owner and repository are
 * compared case-insensitively. A last day that is today or later is the same as no last day, because no event is newer than `now`.
 */
export function isSameDefinition(
  one: ChosenDefinition,
  other: ChosenDefinition,
  endpoints: readonly Endpoint[],
  now: Date,
): boolean {
  const endpoint = endpoints.find(({ definition }) => definition.name === one.name);
  if (endpoint === undefined || one.name !== other.name) return false;
  const [left, right] = [one, other].map(({ parameters }) => readValues(endpoint, parameters));
  if (left === undefined || right === undefined) return false;
  const today = now.toISOString().slice(0, 10);
  return Object.keys(endpoint.parameters).every(
    (name) => comparable(name, left[name] ?? null, today) === comparable(name, right[name] ?? null, today),
  );
}

/** Reads parameter values. Returns undefined if a parameter is unknown or its value is invalid. */
function readValues(endpoint: Endpoint, parameters: ChosenDefinition['parameters']): ParameterValues | undefined {
  try {
    return endpoint.readParameters({ path: {}, query: parameters });
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

function comparable(name: string, value: ParameterValues[string], today: string): string {
  const text = JSON.stringify(value);
  if (name === 'owner' || name === 'repo') return text.toLowerCase();
  return name === 'to' && typeof value === 'string' && value >= today ? 'no last day' : text;
}

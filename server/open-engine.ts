import {
  createEngine,
  type Database,
  type DefinitionLoader,
  DefinitionsError,
  type Engine,
  type EngineParts,
} from '../engine/index.js';
import { clockOf } from './clock.js';
import { createDefinitionLoader, readDefinitions } from './settings/definitions.js';
import type { Settings } from './settings/settings.js';

interface OptionalParts
  extends Pick<EngineParts, 'observe' | 'versions' | 'cursorSecret' | 'systemClock' | 'metadataTimeoutMs'> {
  /** The loader of the definitions, which can load them again for a reload. */
  readonly loader?: DefinitionLoader;
}

/** Creates the engine for all definitions and one database. Throws `DefinitionsError` if every definition is broken. */
export async function openEngine(
  settings: Pick<Settings, 'endpointsDirectory' | 'now' | 'staleAfterHours'>,
  database: Database,
  { loader = createDefinitionLoader(settings), ...optional }: OptionalParts = {},
): Promise<Engine> {
  const { endpoints, broken } = await readDefinitions(settings, loader);
  const stopwatch = performance.now.bind(performance);
  const staleAfterMs = settings.staleAfterHours * 3_600_000;
  const clock = settings.now === undefined ? undefined : clockOf(settings);
  const parts = { endpoints, broken, database, stopwatch, staleAfterMs };
  const engine = createEngine({ ...parts, ...optional, ...(clock && { clock }) });
  const all = engine.broken();
  if (all.length < endpoints.length + broken.length) return engine;
  throw new DefinitionsError([...new Set(all.flatMap(({ problems }) => problems))]);
}

import type { Engine } from '../engine.js';

/** The definitions that an engine serves at the moment. */
export type CurrentDefinitions = Pick<Engine, 'endpoints' | 'generation'>;

/** Returns a function that calls `create` with the definitions, and caches the result until the definitions change. */
export function derive<Definitions extends CurrentDefinitions, T>(
  definitions: Definitions,
  create: (definitions: Definitions) => T,
): () => T {
  let known: { readonly generation: number; readonly value: T } | undefined;
  return () => {
    const { generation } = definitions;
    if (known?.generation !== generation) known = { generation, value: create(definitions) };
    return known.value;
  };
}

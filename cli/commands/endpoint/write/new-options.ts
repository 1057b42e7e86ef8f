import type { LiteralChoices } from '../../../../engine/authoring/index.js';

/** The options of `endpoint new`. */
export interface NewOptions {
  readonly sql?: string;
  readonly table?: string;
  readonly name?: string;
  readonly path?: string;
  readonly summary?: string;
  readonly out?: string;
  readonly param: readonly string[];
  readonly keep: readonly string[];
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

/** Converts the options to the names of literals that become parameters, and the literals that are kept. */
export function readChoices({ param, keep }: Pick<NewOptions, 'param' | 'keep'>): LiteralChoices {
  const named = param.map((pair) => {
    const place = pair.indexOf('=');
    return [pair.slice(0, place), pair.slice(place + 1)] as const;
  });
  return { named: new Map(named), kept: new Set(keep) };
}

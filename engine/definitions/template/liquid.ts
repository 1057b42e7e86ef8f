import { createRequire } from 'node:module';
import type * as Liquid from 'liquidjs';

/** The tokenizer of liquidjs, loaded with `require`: `import` would parse the whole package again to find its export names. */
export const { TokenizationError, Tokenizer, TypeGuards } = createRequire(import.meta.url)('liquidjs') as typeof Liquid;

export type Tokenizer = Liquid.Tokenizer;

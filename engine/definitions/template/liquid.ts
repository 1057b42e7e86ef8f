import { createRequire } from 'node:module';
import type * as Liquid from 'liquidjs';

/** The reader of templates. `import` would parse the whole package again to find the names of its exports. */
export const { TokenizationError, Tokenizer, TypeGuards } = createRequire(import.meta.url)('liquidjs') as typeof Liquid;

export type Tokenizer = Liquid.Tokenizer;

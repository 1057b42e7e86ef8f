import './parser-compilation.js';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Sdk from '@polyglot-sql/sdk';
import * as manual from '@polyglot-sql/sdk/manual';

// The types of this entry point import a file without its extension, so TypeScript does not find the types of its functions.

type Manual = typeof Sdk & { init(options: { wasmUrl: Uint8Array }): Promise<void> };

/**
 * The SQL parser. Import it only from this file. The main entry of the package streams its 22 MB of WebAssembly through
 * `fetch`, which keeps more copies in memory until a garbage collection, and replaces the global `fetch`. Here, one
 * copy is read from the file; `init` passes all values except URLs to `WebAssembly.instantiate`.
 */
const { init } = manual as unknown as Manual;
export const { Dialect, generate, parse, tokenize, validate } = manual as unknown as Manual;

await init({ wasmUrl: readFileSync(createRequire(import.meta.url).resolve('@polyglot-sql/sdk/polyglot_sql.wasm')) });

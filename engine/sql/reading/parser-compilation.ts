import { setFlagsFromString } from 'node:v8';

/**
 * The parser is 22 MB of WebAssembly. With this flag, V8 does not compile hot functions again with optimizations, which would take several
 * seconds of CPU time at each start and make no parse measurably faster. The flag must be set before the parser is loaded.
 */
setFlagsFromString('--liftoff-only');

/** Validating all functions at load would take 50 ms. This is not needed: V8 validates each function before compiling it. */
setFlagsFromString('--wasm-lazy-validation');

import { setFlagsFromString } from 'node:v8';

/**
 * The parser is 22 MB of WebAssembly. V8 compiles its hot functions a second time with optimizations: that costs a start of the process
 * several seconds of CPU time and makes no parse measurably faster. The flag works only when it is set before the parser is loaded.
 */
setFlagsFromString('--liftoff-only');

/** Validating all functions at the load costs 50 ms. npm has checked the file, and V8 validates each function before it compiles it. */
setFlagsFromString('--wasm-lazy-validation');

import './parser-compilation.js';

/** The parser of SQL. Import it from here: what the first line does comes before it. */
export { Dialect, generate, parse, tokenize, validate } from '@polyglot-sql/sdk';

import './parser-compilation.js';

/** The parser of SQL. Import it only from this file, because the import above must run before the parser is loaded. */
export { Dialect, generate, parse, tokenize, validate } from '@polyglot-sql/sdk';

#!/usr/bin/env node
import v8 = require('node:v8');

/**
 * Every query that runs takes a thread of libuv's pool; its usual four would leave none for files and name look-ups.
 * The pool reads its size when it is first used, which the loader of ES modules does: hence a CommonJS module.
 */
const readers = Number(process.env.DATABASE_READERS ?? 4) + Number(process.env.PLAYGROUND_CONNECTIONS ?? 2);
process.env.UV_THREADPOOL_SIZE ??= String(Math.max(16, Number.isInteger(readers) ? readers + 8 : 0));
/**
 * The SQL parser is WebAssembly of such size that the optimizing compiler would take two seconds of processor time of every command,
 * for a parser that is then a seventh faster.
 */
v8.setFlagsFromString('--liftoff-only');
import('./main.js').then(({ main }) => main(process.argv.slice(2)));

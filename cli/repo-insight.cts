#!/usr/bin/env node
/**
 * Every query that runs takes a thread of libuv's pool; its usual four would leave none for files and name look-ups.
 * The pool reads its size when it is first used, which the loader of ES modules does: hence a CommonJS module.
 */
const readers = Number(process.env.DATABASE_READERS ?? 4) + Number(process.env.PLAYGROUND_CONNECTIONS ?? 2);
process.env.UV_THREADPOOL_SIZE ??= String(Math.max(16, Number.isInteger(readers) ? readers + 8 : 0));
import('./main.js').then(({ main }) => main(process.argv.slice(2)));

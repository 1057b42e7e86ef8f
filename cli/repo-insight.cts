#!/usr/bin/env node
/**
 * Each query of DuckDB takes a thread of libuv's pool; its default of four would leave no thread for files and DNS. The
 * pool reads its size when it is first used. The loader of ES modules uses the pool, so this file is a CommonJS module.
 */
const connections = Number(process.env.DATABASE_CONNECTIONS || 4);
process.env.UV_THREADPOOL_SIZE ??= String(Math.max(16, Number.isInteger(connections) ? connections + 10 : 0));
import('./main.js').then(({ main }) => main(process.argv.slice(2)));

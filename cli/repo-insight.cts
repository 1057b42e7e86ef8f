#!/usr/bin/env node
import v8 = require('node:v8');

/**
 * Each query of DuckDB uses a thread of libuv's pool. With the default of four threads, queries would leave no thread
 * for files and DNS. libuv reads the size of the pool when the pool is first used. The loader of ES modules uses the
 * pool, so this file must be a CommonJS module.
 */
const connections = Number(process.env.DATABASE_CONNECTIONS || 4);
process.env.UV_THREADPOOL_SIZE ??= String(Math.max(16, Number.isInteger(connections) ? connections + 10 : 0));

/**
 * A start of the service runs most of its code a few times. Optimizing that code costs a quarter of the CPU time of the start and saves
 * less. The command allows optimizing as soon as the service listens.
 */
if (process.argv[2] === 'serve') v8.setFlagsFromString('--no-opt');
import('./main.js').then(({ main }) => main(process.argv.slice(2)));

/**
 * Starts the service, waits until it is idle and stops it. The arguments are settings, for example `DATA_DIR=…`. Prints the CPU time of
 * the process until it listens and its memory when it is idle: `{"cpuSeconds": …, "idleMegabytes": …}`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { startService } from '../../server/service.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { openWarehouse } from '../../server/warehouse.js';
import { variablesOf } from './variables.js';

/** Shorter than the interval at which the explorer looks for questions. */
const IDLE_MS = 4_000;

const settings = readSettings({ PORT: '0', ...variablesOf(process.argv.slice(2)) });
const warehouse = await openWarehouse(settings, { migrating: true });
const service = await startService(settings, warehouse, pino({ level: 'warn' }));
const { user, system } = process.cpuUsage();
await pause(IDLE_MS);
const idleMegabytes = process.memoryUsage.rss() / 1024 / 1024;
await service.close();
await warehouse.close();
process.stdout.write(`${JSON.stringify({ cpuSeconds: (user + system) / 1e6, idleMegabytes })}\n`);

/** Runs the service. The arguments are settings, for example `DATA_DIR=…`. */
import { pino } from 'pino';
import { openWarehouse } from '../../server/databases/open-database.js';
import { startService } from '../../server/service.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { variablesOf } from './variables.js';

/** Rate limits that are never reached. The service still counts the requests. */
const LIMITS = { RATE_LIMIT_PER_HOUR: '1000000000', RATE_LIMIT_PER_MINUTE: '1000000000' };

const settings = readSettings({ PORT: '0', ...LIMITS, ...variablesOf(process.argv.slice(2)) });
const warehouse = await openWarehouse(settings, { migrating: true });
const service = await startService(settings, warehouse, pino({ level: 'warn' }));
process.stdout.write(`${service.url}\n`);
process.once('SIGTERM', async () => {
  await service.close();
  await warehouse.close();
});

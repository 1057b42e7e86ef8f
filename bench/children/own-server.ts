/** The service; its settings are the arguments, such as `DATA_DIR=…`. */
import { pino } from 'pino';
import { startService } from '../../server/service.js';
import { readSettings } from '../../server/settings.js';
import { openWarehouse } from '../../server/warehouse.js';
import { variablesOf } from './variables.js';

const settings = readSettings({ PORT: '0', ...variablesOf(process.argv.slice(2)) });
const warehouse = await openWarehouse(settings, { migrating: true });
const service = await startService(settings, warehouse, pino({ level: 'warn' }));
process.stdout.write(`${service.url}\n`);
process.once('SIGTERM', async () => {
  await service.close();
  await warehouse.close();
});

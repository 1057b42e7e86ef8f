/** The service: arguments are its data folder, its moment and, if not its own, a folder of definitions. */
import { pino } from 'pino';
import { startService } from '../../server/service.js';
import { readSettings } from '../../server/settings.js';
import { openWarehouse } from '../../server/warehouse.js';

const [folder = '', now = '', endpoints = ''] = process.argv.slice(2);
const settings = readSettings({ DATA_DIR: folder, PORT: '0', NOW: now, ENDPOINTS_DIR: endpoints });
const warehouse = await openWarehouse(settings, { migrating: true });
const service = await startService(settings, warehouse, pino({ level: 'warn' }));
process.stdout.write(`${service.url}\n`);
process.once('SIGTERM', async () => {
  await service.close();
  await warehouse.close();
});

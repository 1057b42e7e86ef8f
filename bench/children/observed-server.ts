import { openSync } from 'node:fs';
import { NO_PAGES } from '../../console/pages/next-pages.js';
import { recordOf } from '../../http/records/request-record.js';
import { clockOf } from '../../server/clock.js';
import { composeApplication } from '../../server/compose.js';
import { listen } from '../../server/listening/listen.js';
import { createLog } from '../../server/logging/log.js';
import { QueryMetrics } from '../../server/metrics/query-metrics.js';
import { openEngine } from '../../server/open-engine.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { TIMEOUTS } from '../../server/settings/timeouts.js';
import { openWarehouse } from '../../server/warehouse.js';
import { variablesOf } from './variables.js';

/**
 * Serves the application with metrics and the access log (`all`), with metrics (`metrics`), or with neither (`none`). The first
 * argument selects it, the second one is the file of the log, and the others are settings.
 */
const [observed = 'all', logFile = '', ...variables] = process.argv.slice(2);
const limits = { RATE_LIMIT_PER_HOUR: '1000000000', RATE_LIMIT_PER_MINUTE: '1000000000', PORT: '0' };
const settings = readSettings({ ...limits, ...variablesOf(variables) });
const warehouse = await openWarehouse(settings, { migrating: true });
const queries = new QueryMetrics(() => true, settings.slowQueryMs);
const { database, versions } = warehouse;
const isCounted = observed !== 'none';
const engine = await openEngine(settings, database, {
  versions,
  ...(isCounted && { observe: (event) => queries.observe(event) }),
});
const definitions = {
  state: () => ({ endpoints: engine.endpoints, broken: [], outdated: [], canaries: [], paused: new Map() }),
  reloads: { succeeded: 0, problems: 0, failed: 0 },
};
const { listener } = await composeApplication({
  ...{ settings, warehouse, engine, definitions, queries },
  pages: { state: () => NO_PAGES },
  drain: { isReady: true },
  clock: clockOf(settings),
  logger: createLog(
    { logLevel: observed === 'all' ? 'info' : 'silent' },
    { fd: openSync(logFile, 'a'), isReadable: false },
  ),
  timeouts: TIMEOUTS,
  ...(!isCounted && { requests: { begin: (_request, response) => recordOf(response), sent: () => {} } }),
});
const { url } = await listen(listener, settings);
console.log(url);
process.once('SIGTERM', () => process.exit());

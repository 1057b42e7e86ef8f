import { openSync } from 'node:fs';
import { NO_PAGES } from '../../console/pages/next-pages.js';
import { type RequestFollower, recordOf } from '../../engine/http/request-record.js';
import { clockOf, readSystemTime } from '../../server/clock.js';
import { composeApplication } from '../../server/compose.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import { listen } from '../../server/listening/listen.js';
import { createLog } from '../../server/logging/log.js';
import { QueryMetrics } from '../../server/metrics/request-metrics.js';
import { openEngine } from '../../server/open-engine.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { TIMEOUTS } from '../../server/settings/timeouts.js';
import { variablesOf } from './variables.js';

/**
 * Serves the application. An order changes what is recorded: metrics and the access log (`log`), only metrics (`metrics`), or nothing
 * (`none`). The answer to an order is the CPU time of this process in microseconds. The first argument is the log file, the others are
 * settings.
 */
const [logFile = '', ...variables] = process.argv.slice(2);
const limits = { RATE_LIMIT_PER_HOUR: '1000000000', RATE_LIMIT_PER_MINUTE: '1000000000', PORT: '0' };
const settings = readSettings({ ...limits, ...variablesOf(variables) });
const warehouse = await openWarehouse(settings, { migrating: true });
const queries = new QueryMetrics(() => true, settings.slowQueryMs);
const { database, versions } = warehouse;
const logger = createLog({ logLevel: 'silent' }, { fd: openSync(logFile, 'a'), isReadable: false });
let isCounting = false;
const engine = await openEngine(settings, database, {
  versions,
  observe: (event) => {
    if (isCounting) queries.observe(event);
  },
});
const definitions = {
  state: () => ({ endpoints: engine.endpoints, broken: [], outdated: [], canaries: [], paused: new Map() }),
  reloads: { succeeded: 0, problems: 0, failed: 0 },
};
const switched = ({ begin, sent }: RequestFollower): RequestFollower => ({
  begin: (request, response, arrival) => (isCounting ? begin(request, response, arrival) : recordOf(response)),
  sent: (request, response, answer) => {
    if (isCounting) sent(request, response, answer);
  },
});
const { listener } = await composeApplication({
  ...{ settings, warehouse, engine, definitions, queries, logger },
  pages: { state: () => NO_PAGES },
  drain: { isReady: true },
  clock: clockOf(settings),
  systemClock: readSystemTime,
  timeouts: TIMEOUTS,
  replaceFollower: switched,
});
process.on('message', (observed: string) => {
  isCounting = observed !== 'none';
  logger.level = observed === 'log' ? 'info' : 'silent';
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
const { url } = await listen(listener, settings);
console.log(url);
process.once('SIGTERM', () => process.exit());

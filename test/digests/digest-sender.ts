import { pino } from 'pino';
import { createEngine, PATIENT_METADATA_TIMEOUT_MS } from '../../engine/index.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import { openDigests } from '../../server/digests/digest-work.js';
import { sendDigests } from '../../server/digests/send-digests.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { LIMIT_MS } from '../services/eventually.js';

/** A child process that sends all digests that are due at the time in its argument, sends `done` to the test, and ends. */
const [time = ''] = process.argv.slice(2);
const settings = readSettings(process.env);
const { database, state, close } = await openWarehouse(settings, { migrating: true });
if (state === undefined) throw new Error('There is no state.');
const endpoints = (await loadDefinitions({ endpointsDirectory: undefined })).filter(
  ({ definition }) => definition.name === 'changes-of-repositories',
);
const engine = createEngine({
  ...{ endpoints, database, stopwatch: () => 0 },
  metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
});
const parts = await openDigests({
  ...{ settings, database, state, engine, timeouts: { imageMs: LIMIT_MS, mailMs: LIMIT_MS } },
  systemClock: () => new Date(time),
  logger: pino({ level: 'silent' }),
});
if (parts === undefined) throw new Error('E-mail is not configured.');
// Pictures take most of the time, and are not needed here.
await sendDigests(
  { ...parts, images: { get: () => Promise.reject(new Error('no picture')) } },
  new AbortController().signal,
);
process.send?.('done');
await Promise.all([parts.images.close(), close()]);
process.disconnect?.();

import type { Logger } from 'pino';
import { deleteOldAuditEntries } from '../../accounts/audit-log.js';
import type { StateStore } from '../../accounts/state-store.js';
import type { Settings } from '../settings/settings.js';
import { type Repeated, repeat } from './repeat.js';

/** Forgets what the log of changes has had for `AUDIT_KEEP_DAYS`, now and every hour; undefined where it keeps all. */
export function forgetOldChanges(
  { auditKeepDays }: Pick<Settings, 'auditKeepDays'>,
  state: StateStore | undefined,
  logger: Logger,
): Repeated | undefined {
  if (state === undefined || auditKeepDays === 0) return undefined;
  const stopping = new AbortController();
  const forget = async () => {
    const before = new Date(Date.now() - auditKeepDays * DAY_MS);
    const forgotten = await deleteOldAuditEntries(state, before, stopping.signal);
    if (forgotten > 0) logger.info({ forgotten }, 'old changes were taken out of the log of changes');
  };
  const repeated = repeat('forgetting old changes', HOUR_MS, forget, logger);
  void repeated.now();
  return {
    now: repeated.now,
    stop: () => {
      // Of a long log the rest is for the next start.
      stopping.abort();
      return repeated.stop();
    },
  };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

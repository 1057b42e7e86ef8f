import type { Logger } from 'pino';
import { deleteOldAuditEntries } from '../../accounts/audit-log.js';
import type { StateStore } from '../../accounts/state-store.js';
import type { Settings } from '../settings/settings.js';
import { type RepeatedWork, repeat } from './repeat.js';

/** Deletes changes older than `AUDIT_KEEP_DAYS` from the log of changes, now and every hour. Undefined if all changes are kept. */
export function forgetOldChanges(
  { auditKeepDays }: Pick<Settings, 'auditKeepDays'>,
  state: StateStore | undefined,
  logger: Logger,
): RepeatedWork | undefined {
  if (state === undefined || auditKeepDays === 0) return undefined;
  const stopping = new AbortController();
  const forget = async () => {
    const before = new Date(Date.now() - auditKeepDays * DAY_MS);
    const forgotten = await deleteOldAuditEntries(state, before, stopping.signal);
    if (forgotten > 0) logger.info({ forgotten }, 'old changes were deleted from the log of changes');
  };
  const repeated = repeat('deleting old changes', HOUR_MS, forget, logger);
  void repeated.now();
  return {
    now: repeated.now,
    stop: () => {
      // The next start deletes the rest of a long log.
      stopping.abort();
      return repeated.stop();
    },
  };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

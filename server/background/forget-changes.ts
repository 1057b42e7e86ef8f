import type { Logger } from 'pino';
import { deleteOldAuditEntries } from '../../accounts/audit-log.js';
import type { StateStore } from '../../accounts/state-store.js';
import type { Settings } from '../settings/settings.js';
import { forgetOld } from './forget-old.js';
import type { RepeatedWork } from './repeat.js';

/** Deletes changes older than `AUDIT_KEEP_DAYS` from the log of changes, now and every hour. Undefined if all changes are kept. */
export function forgetOldChanges(
  { auditKeepDays }: Pick<Settings, 'auditKeepDays'>,
  state: StateStore | undefined,
  logger: Logger,
  clock = () => new Date(),
): RepeatedWork | undefined {
  const rows = { name: 'changes', keepDays: auditKeepDays, deleteBefore: deleteOldAuditEntries };
  return forgetOld(rows, state, logger, clock);
}

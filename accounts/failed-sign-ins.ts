import { VISITOR, writeAuditEntry } from './audit-log.js';
import type { StateStore } from './state-store.js';

/**
 * Writes failed sign-ins to the audit log. People who are not signed in cause these entries, so each process writes at most `MAX_PER_HOUR`
 * of them. The log of the service contains every failure.
 */
export class FailedSignIns {
  readonly #state: StateStore;
  #hour = 0;
  #written = 0;

  constructor(state: StateStore) {
    this.#state = state;
  }

  /** Notes a failure with its error code, for example `sign_in_failed`. The entry contains nothing about the person. */
  async note(code: string, now: Date): Promise<void> {
    const hour = Math.floor(now.getTime() / HOUR_MS);
    if (hour !== this.#hour) [this.#hour, this.#written] = [hour, 0];
    if (this.#written >= MAX_PER_HOUR) return;
    this.#written += 1;
    const entry = { at: now, actor: VISITOR, action: 'sign-in-failed', subject: 'sign-in', detail: code };
    await this.#state.transaction((tables) => writeAuditEntry(tables, entry));
  }
}

const HOUR_MS = 3_600_000;
const MAX_PER_HOUR = 300;

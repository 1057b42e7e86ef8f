import { CronExpressionParser } from 'cron-parser';

/** Each digest is due on Monday at 8 o'clock in the time zone of its user. */
const WEEKLY = '0 8 * * 1';

/**
 * Returns the first time after `after` at which a digest is due. A time zone that this version of Node does not know, because another version
 * stored it, counts as UTC.
 */
export function nextDigestAt(after: Date, timeZone: string): Date {
  const tz = isTimeZone(timeZone) ? timeZone : 'UTC';
  return CronExpressionParser.parse(WEEKLY, { currentDate: after, tz }).next().toDate();
}

/** The seven days that a digest is about, as `YYYY-MM-DD`. */
export interface DigestWeek {
  readonly firstDay: string;
  readonly lastDay: string;
}

/** Returns the last seven days in UTC whose events can be imported when a digest is due. */
export function weekBefore(dueAt: Date): DigestWeek {
  const lastHour = dueAt.getTime() - IMPORT_DELAY_MS;
  const dayBefore = (days: number) => new Date(lastHour - days * DAY_MS).toISOString().slice(0, 10);
  return { firstDay: dayBefore(7), lastDay: dayBefore(1) };
}

/** Whether a text is the name of a time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    return NAME.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Names of the IANA database. Other texts, such as `+01:00`, are not accepted in all versions of Node. */
const NAME = /^[A-Za-z][A-Za-z\d_+/-]{0,63}$/;

const DAY_MS = 86_400_000;
/** The archive publishes the events of an hour in the next hour. */
const IMPORT_DELAY_MS = 2 * 3_600_000;

import { CronExpressionParser } from 'cron-parser';

/** Each digest is due on Monday at 8 o'clock in the time zone of its user. */
const WEEKLY = '0 8 * * 1';

/** Returns the first time after `after` at which a digest is due. */
export function nextDigestAt(after: Date, timeZone: string): Date {
  return CronExpressionParser.parse(WEEKLY, { currentDate: after, tz: timeZone }).next().toDate();
}

/** The days that a digest is about, from Monday to Sunday, as `YYYY-MM-DD`. */
export interface DigestWeek {
  readonly firstDay: string;
  readonly lastDay: string;
}

/** Returns the week before the local day on which a digest is due. The days of the data are in UTC, independent of the time zone. */
export function weekBefore(dueAt: Date, timeZone: string): DigestWeek {
  // Swedish dates have the form YYYY-MM-DD.
  const localDay = Date.parse(new Intl.DateTimeFormat('sv-SE', { timeZone }).format(dueAt));
  const dayBefore = (days: number) => new Date(localDay - days * DAY_MS).toISOString().slice(0, 10);
  return { firstDay: dayBefore(7), lastDay: dayBefore(1) };
}

/** Whether a text is the name of a time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    return NAME.test(name) && nextDigestAt(new Date(0), name) > new Date(0);
  } catch {
    return false;
  }
}

/** Names of the IANA database. Other texts, such as `+01:00`, are not accepted in all versions of Node. */
const NAME = /^[A-Za-z][A-Za-z\d_+/-]{0,63}$/;

const DAY_MS = 86_400_000;

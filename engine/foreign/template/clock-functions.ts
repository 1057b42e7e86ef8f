/** A call of a function of the clock, and the value that replaces it. */
export interface ClockCall {
  readonly call: string;
  readonly start: number;
  readonly value: 'now' | 'today';
  readonly message: string;
}

/** Finds the functions of the clock in SQL without quotes and comments. Definitions use the time of the service. */
export function findClockCalls(code: string): ClockCall[] {
  return [...code.matchAll(CLOCK)].map(({ 0: call, index: start }) => {
    const value = /(?<!SYS)DATE\b/i.test(call) ? 'today' : 'now';
    const effect =
      value === 'now' ? 'the time of the service in UTC; such answers are not stored' : 'the day of the service in UTC';
    return { call, start, value, message: `${call} is now {{ ${value} }}, ${effect}` };
  });
}

/** These names need no parentheses. The others are also names of columns. */
const BARE = 'CURRENT_TIMESTAMP|LOCALTIMESTAMP|LOCALTIME|UTC_TIMESTAMP|CURRENT_DATE|UTC_DATE';
const CLOCK = new RegExp(
  `(?<![.\\w\`$])(?:(?:NOW|SYSDATE|CURDATE)\\s*\\(\\s*\\)|(?:${BARE})\\b(?:\\s*\\(\\s*\\)|(?!\\s*\\()))`,
  'gi',
);

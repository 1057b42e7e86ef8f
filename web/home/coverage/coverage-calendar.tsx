import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { formatDay, formatNumber } from '../../parts/format/format.js';
import { HiddenText } from '../../parts/layout/hidden-text.js';
import styles from './coverage.module.css';
import { type CoverageDay, type CoverageWeek, formatHours } from './coverage-days.js';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MONTH = new Intl.DateTimeFormat(undefined, { month: 'short', calendar: 'gregory', timeZone: 'UTC' });
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1 };

interface CoverageCalendarProps {
  readonly year: number;
  readonly weeks: readonly CoverageWeek[];
}

/** The days of a year. Each day shows how many of its hours the data contain. Cursor keys move between the days. */
export function CoverageCalendar({ year, weeks }: CoverageCalendarProps) {
  const days = weeks.flatMap((week) => week.days);
  const newest = days.findLastIndex((day) => day !== undefined);
  const [chosen, setChosen] = useState<number>();
  const active = chosen !== undefined && days[chosen] !== undefined ? chosen : newest;
  const table = useRef<HTMLTableElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each year begins at its newest day
  useEffect(() => {
    setChosen(undefined);
    scroller.current?.scrollTo({ left: (newest / days.length) * scroller.current.scrollWidth - 200 });
  }, [year]);

  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextIndex(event.key, active, days);
    if (next === undefined) return;
    event.preventDefault();
    setChosen(next);
    table.current?.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus();
  };

  return (
    <>
      <div ref={scroller} className={styles.scroller}>
        <table
          ref={table}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: cursor keys reach the cells
          role="grid"
          className={styles.calendar}
          aria-label={`Hours in the data, ${year}`}
          onKeyDown={onKeyDown}
        >
          <thead>
            <tr>
              <td />
              {weeks.map(({ month }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a week has no other key
                <td key={index} className={styles.month}>
                  {month !== undefined && MONTH.format(Date.UTC(year, month - 1, 1))}
                </td>
              ))}
            </tr>
          </thead>
          <tbody>
            {WEEKDAYS.map((weekday, row) => (
              <tr key={weekday}>
                <th scope="row">
                  <HiddenText>{weekday}</HiddenText>
                  <span aria-hidden="true">{row % 2 === 0 && weekday.slice(0, 3)}</span>
                </th>
                {weeks.map((week, column) => (
                  <DayCell
                    // biome-ignore lint/suspicious/noArrayIndexKey: a week has no other key
                    key={column}
                    day={week.days[row]}
                    index={column * 7 + row}
                    isActive={column * 7 + row === active}
                    onChoose={setChosen}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.detail}>{days[active] === undefined ? '' : describeDay(days[active])}</p>
    </>
  );
}

interface DayCellProps {
  readonly day: CoverageDay | undefined;
  readonly index: number;
  readonly isActive: boolean;
  readonly onChoose: (index: number) => void;
}

function DayCell({ day, index, isActive, onChoose }: DayCellProps) {
  if (day === undefined) return <td className={styles.outside} />;
  return (
    <td
      data-day={index}
      className={styles.day}
      data-level={levelOf(day)}
      aria-label={describeDay(day)}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => onChoose(index)}
      onPointerEnter={() => onChoose(index)}
      data-active={isActive}
    />
  );
}

function levelOf({ present, missing }: CoverageDay): 'all' | 'most' | 'some' | 'none' {
  if (missing.length === 0) return 'all';
  if (present.length === 0) return 'none';
  return present.length >= 12 ? 'most' : 'some';
}

function describeDay({ date, present, missing, events }: CoverageDay): string {
  const hours = present.length === 24 ? 'all 24 hours' : `${present.length} of 24 hours`;
  const gap =
    missing.length === 0 ? '' : `; missing: ${missing.length === 24 ? 'the whole day' : `${formatHours(missing)} UTC`}`;
  return `${formatDay(date)}: ${hours}, ${formatNumber(events)} events${gap}`;
}

/** Returns the index of the day to which a key moves the focus. Days outside of the data cannot be reached. */
function nextIndex(key: string, active: number, days: readonly (CoverageDay | undefined)[]): number | undefined {
  const isDay = (index: number) => days[index] !== undefined;
  if (key === 'Home') return days.findIndex((day) => day !== undefined);
  if (key === 'End') return days.findLastIndex((day) => day !== undefined);
  const step = STEPS[key];
  return step !== undefined && isDay(active + step) ? active + step : undefined;
}

import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type Result, rowsQuery } from '../../api/rows.js';
import { formatDay, formatNumber, formatTime } from '../../parts/format/format.js';
import { Card } from '../../parts/layout/card.js';
import { ErrorMessage } from '../../parts/messages/error-message.js';
import { Loading } from '../../parts/messages/loading.js';
import { DataNote } from '../data-note.js';
import styles from './coverage.module.css';
import { CoverageCalendar } from './coverage-calendar.js';
import { type CoverageDay, formatHours, readDays, toWeeks } from './coverage-days.js';
import { YearChoice } from './year-choice.js';

/** Shows which hours the data contain, as a calendar, and how new the data are. The database must have events. */
export function CoverageCard() {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const types = useQuery(rowsQuery('data-event-types', {}));
  const range = types.data && rangeOf(types.data);
  const year = Number(range?.years.find((one) => one === search._year) ?? range?.years[0] ?? 0);
  const days = useQuery({
    ...rowsQuery('data-coverage', { from: `${year}-01-01`, to: `${year}-12-31` }),
    enabled: year > 0,
  });
  const error = types.error ?? days.error;
  const change = (value: string) =>
    void navigate({ to: '.', search: { ...search, _year: value }, replace: true, resetScroll: false });
  return (
    <Card
      title="Which hours do the data contain?"
      description={range === undefined ? 'Every day with its hours.' : describeRange(range)}
      actions={range && <YearChoice years={range.years} year={String(year)} onChange={change} />}
      footer={
        <DataNote result={types.data}>
          <Link to="/e/$name" params={{ name: 'data-gaps' }}>
            Gaps by type of event
          </Link>
        </DataNote>
      }
    >
      {error !== null && (
        <ErrorMessage error={error} onRetry={() => void (types.error ? types.refetch() : days.refetch())} />
      )}
      {error === null && days.data === undefined && <Loading height="15.6rem" label="Loading the calendar" />}
      {range !== undefined && days.data !== undefined && <Year {...{ year, range }} result={days.data} />}
    </Card>
  );
}

interface DataRange {
  /** Newest first. */
  readonly years: readonly string[];
  readonly firstDay: string;
  readonly newestAt: string;
  readonly events: number;
}

function Year({ year, range, result }: { readonly year: number; readonly range: DataRange; readonly result: Result }) {
  const days = useMemo(() => readDays(result.data, range.newestAt.slice(0, 10)), [result, range.newestAt]);
  const weeks = useMemo(() => toWeeks(year, days), [year, days]);
  return (
    <>
      <CoverageCalendar year={year} weeks={weeks} />
      <ul className={styles.legend}>
        <li>
          <span className={styles.key} data-level="all" /> all hours
        </li>
        <li>
          <span className={styles.key} data-level="most" /> 12 hours or more
        </li>
        <li>
          <span className={styles.key} data-level="some" /> fewer than 12
        </li>
        <li>
          <span className={styles.key} data-level="none" /> no hour
        </li>
      </ul>
      <Gaps days={days} year={year} />
    </>
  );
}

/** The days with missing hours as text. */
function Gaps({ days, year }: { readonly days: readonly CoverageDay[]; readonly year: number }) {
  const withGaps = days.filter(({ missing }) => missing.length > 0);
  if (withGaps.length === 0) return <p className={styles.gaps}>No hour is missing in {year}.</p>;
  const hours = withGaps.reduce((sum, { missing }) => sum + missing.length, 0);
  return (
    <details className={styles.gaps}>
      <summary>
        {formatNumber(hours)} {hours === 1 ? 'hour is' : 'hours are'} missing on {formatNumber(withGaps.length)}{' '}
        {withGaps.length === 1 ? 'day' : 'days'} of {year}
      </summary>
      <ul>
        {withGaps.map(({ date, missing }) => (
          <li key={date}>
            {formatDay(date)}: {missing.length === 24 ? 'the whole day' : formatHours(missing)}
          </li>
        ))}
      </ul>
    </details>
  );
}

function rangeOf({ data }: Result): DataRange | undefined {
  const firstDay = data
    .map((row) => String(row.first_day))
    .sort()[0]
    ?.slice(0, 10);
  const newestAt = data
    .map((row) => String(row.newest_at))
    .sort()
    .at(-1);
  if (firstDay === undefined || newestAt === undefined) return undefined;
  const [first, last] = [Number(firstDay.slice(0, 4)), Number(newestAt.slice(0, 4))];
  const years = Array.from({ length: last - first + 1 }, (_, index) => String(last - index));
  return { years, firstDay, newestAt, events: data.reduce((sum, row) => sum + Number(row.events), 0) };
}

function describeRange({ firstDay, newestAt, events }: DataRange): string {
  const iso = `${newestAt.slice(0, 19).replace(' ', 'T')}Z`;
  return `${formatNumber(events)} events from ${formatDay(firstDay)} until ${formatTime(iso)}.`;
}

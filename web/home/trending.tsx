import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type Row, rowsQuery } from '../api/rows.js';
import { formatNumber } from '../parts/format/format.js';
import { Card } from '../parts/layout/card.js';
import { SegmentedChoice } from '../parts/layout/segmented-choice.js';
import { EntityLink } from '../parts/links/entity-link.js';
import { repositoryPath } from '../parts/links/entity-links.js';
import { Empty } from '../parts/messages/empty.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import { DataNote } from './data-note.js';
import styles from './home.module.css';

const PERIODS = [
  { value: 'past_24_hours', label: '24 hours' },
  { value: 'past_week', label: '7 days' },
  { value: 'past_month', label: '30 days' },
  { value: 'past_3_months', label: '90 days' },
] as const;

const SHOWN = 10;

/** The repositories with the highest scores of a period. */
export function Trending() {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const period = PERIODS.find(({ value }) => value === search._period)?.value ?? 'past_24_hours';
  const { data, error, refetch } = useQuery(rowsQuery('list-trending-repos', { period }));
  const change = (value: string) =>
    void navigate({ to: '.', search: { ...search, _period: value }, replace: true, resetScroll: false });
  return (
    <Card
      title="Trending repositories"
      description="New stars and forks count; recent ones count more."
      actions={<SegmentedChoice label="Period" options={PERIODS} value={period} onChange={change} />}
      footer={
        <DataNote result={data}>
          <Link to="/e/$name" params={{ name: 'list-trending-repos' }} search={{ period }}>
            All 100, by language
          </Link>
        </DataNote>
      }
    >
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading height="29.6rem" label="Loading the trending repositories" />}
      {data?.data.length === 0 && <Empty title="No repository is trending in this period" icon="star" />}
      {data !== undefined && data.data.length > 0 && <TrendingTable rows={data.data.slice(0, SHOWN)} />}
    </Card>
  );
}

function TrendingTable({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <table className={styles.table} aria-label="Trending repositories">
      <thead>
        <tr>
          <th scope="col">Repository</th>
          <th scope="col" className={`${styles.word} ${styles.optional}`}>
            Language
          </th>
          <th scope="col" className={styles.number}>
            Stars
          </th>
          <th scope="col" className={`${styles.number} ${styles.optional}`}>
            Forks
          </th>
          <th scope="col" className={`${styles.number} ${styles.optional}`}>
            Pull requests
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.repo_id}>
            <td className={styles.name}>
              <EntityLink path={repositoryPath(String(row.repo_name))}>{row.repo_name}</EntityLink>
              <span className={styles.detail}>{row.description}</span>
            </td>
            <td className={`${styles.word} ${styles.optional} ${styles.soft}`}>{row.primary_language}</td>
            <td className={styles.number}>{formatCount(row.stars)}</td>
            <td className={`${styles.number} ${styles.optional}`}>{formatCount(row.forks)}</td>
            <td className={`${styles.number} ${styles.optional}`}>{formatCount(row.pull_requests)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The definition returns NULL instead of zero. */
function formatCount(value: Row[string] | undefined): string {
  return formatNumber(Number(value ?? 0));
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Row, rowsQuery } from '../api/rows.js';
import { formatDay, formatNumber } from '../parts/format/format.js';
import { Card } from '../parts/layout/card.js';
import { EntityLink } from '../parts/links/entity-link.js';
import { repositoryPath } from '../parts/links/entity-links.js';
import { Empty } from '../parts/messages/empty.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import { DataNote } from './data-note.js';
import styles from './movers.module.css';

/** Three repositories whose new stars changed most in a week: a sentence and a small line each. */
export function Movers() {
  const { data, error, refetch } = useQuery(rowsQuery('star-movers', {}));
  const rows = data?.data ?? [];
  const ids = [...new Set(rows.map(({ repo_id: id }) => id))];
  return (
    <Card
      title="What moved this week?"
      description="Trending repositories whose new stars changed most against the week before."
      footer={
        <DataNote result={data}>
          <Link to="/e/$name" params={{ name: 'star-movers' }}>
            The numbers by day
          </Link>
        </DataNote>
      }
    >
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading height="9.6rem" label="Loading the movers" />}
      {data?.data.length === 0 && <Empty title="No repository can be compared" icon="star" />}
      {ids.length > 0 && (
        <ul className={styles.movers}>
          {ids.map((id) => (
            <Mover key={id} rows={rows.filter(({ repo_id }) => repo_id === id)} />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** `rows` are the days of one repository, in order. */
function Mover({ rows }: { readonly rows: readonly Row[] }) {
  const { repo_name: name, new_stars: stars, new_stars_before: before } = rows[0] ?? {};
  const change = Number(stars) - Number(before);
  return (
    <li className={styles.mover}>
      <p className={styles.sentence}>
        <EntityLink path={repositoryPath(String(name))}>{name}</EntityLink> got {count(Number(stars), 'new star')} in
        the last seven days,{' '}
        <strong>
          {change === 0
            ? 'as many'
            : `${change > 0 ? '▲' : '▼'} ${formatNumber(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'}`}
        </strong>{' '}
        {change === 0 ? 'as' : 'than'} in the seven days before.
      </p>
      <Sparkline rows={rows} />
    </li>
  );
}

function count(value: number, noun: string): string {
  return `${formatNumber(value)} ${noun}${value === 1 ? '' : 's'}`;
}

const [WIDTH, HEIGHT, EDGE] = [140, 36, 2];

/** A line of the stars by day. The second week is drawn with full colour. */
function Sparkline({ rows }: { readonly rows: readonly Row[] }) {
  const values = rows.map(({ stars }) => Number(stars));
  const most = Math.max(1, ...values);
  const points = values.map((value, index) => {
    const x = EDGE + (index / Math.max(1, values.length - 1)) * (WIDTH - 2 * EDGE);
    return `${x.toFixed(1)},${(HEIGHT - EDGE - (value / most) * (HEIGHT - 2 * EDGE)).toFixed(1)}`;
  });
  const half = Math.floor(values.length / 2);
  const [first, last] = [formatDay(String(rows[0]?.date)), formatDay(String(rows.at(-1)?.date))];
  const label = `New stars by day from ${first} to ${last}: ${values.map(formatNumber).join(', ')}`;
  return (
    <svg
      className={styles.line}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={label}
    >
      <polyline className={styles.before} points={points.slice(0, half + 1).join(' ')} />
      <polyline points={points.slice(half).join(' ')} />
    </svg>
  );
}

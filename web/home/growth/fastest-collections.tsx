import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Row, rowsQuery } from '../../api/rows.js';
import { formatDay, formatNumber } from '../../parts/format/format.js';
import { buttonClass } from '../../parts/layout/button.js';
import { Card } from '../../parts/layout/card.js';
import { HiddenText } from '../../parts/layout/hidden-text.js';
import { Icon } from '../../parts/layout/icon.js';
import { EntityLink } from '../../parts/links/entity-link.js';
import { collectionPath } from '../../parts/links/entity-links.js';
import { ErrorMessage } from '../../parts/messages/error-message.js';
import { Loading } from '../../parts/messages/loading.js';
import { DataNote } from '../data-note.js';
import styles from '../home.module.css';
import { BY_CHANGE } from './by-change.js';
import growth from './growth.module.css';
import { GrowthChart } from './growth-chart.js';

const SHOWN = 7;

/** Which collections grow fastest, and since when: a list, and a chart to share. */
export function FastestCollections() {
  const { data, error, refetch } = useQuery(rowsQuery('collections-by-growth', BY_CHANGE));
  return (
    <Card
      title="Which collections grow fastest, and since when?"
      description="New stars of the past 28 days, compared with the 28 days before."
      actions={
        <Link
          to="/e/$name"
          params={{ name: 'collections-growth-history' }}
          search={{ top: '5', ...BY_CHANGE }}
          className={buttonClass({ variant: 'primary' })}
        >
          <Icon name="share" />
          Open the chart to share it
        </Link>
      }
      footer={
        <DataNote result={data}>
          <span className={growth.links}>
            <Link to="/e/$name" params={{ name: 'collections-by-growth' }} search={BY_CHANGE}>
              All collections by growth
            </Link>
            <Link to="/p/$" params={{ _splat: 'collections' }}>
              Collections
            </Link>
          </span>
        </DataNote>
      }
    >
      <div className={growth.parts}>
        <div>
          {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
          {data === undefined && error === null && <Loading height="21.4rem" label="Loading the collections" />}
          {data !== undefined && data.data.length > 0 && <GrowthTable rows={data.data.slice(0, SHOWN)} />}
        </div>
        <GrowthChart />
      </div>
    </Card>
  );
}

function GrowthTable({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <table className={styles.table} aria-label="Collections by growth">
      <thead>
        <tr>
          <th scope="col">Collection</th>
          <th scope="col" className={growth.stars}>
            New stars
          </th>
          <th scope="col" className={`${growth.change} ${styles.optional}`}>
            Change
          </th>
          <th scope="col" className={growth.since}>
            Growing since
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.collection_id}>
            <td className={growth.collection}>
              <EntityLink path={collectionPath(String(row.collection_id))}>{row.collection_name}</EntityLink>
            </td>
            <td className={growth.stars}>{formatNumber(Number(row.current_period_growth))}</td>
            <td className={`${growth.change} ${styles.optional}`}>{formatChange(row)}</td>
            <td className={growth.since}>
              {row.growing_since === null ? (
                <>
                  <span aria-hidden="true">–</span>
                  <HiddenText>not growing</HiddenText>
                </>
              ) : (
                formatDay(String(row.growing_since))
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const PERCENT = new Intl.NumberFormat(undefined, {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** If the previous value is 0, a percentage cannot be computed. */
function formatChange({ growth_pop: percent, current_period_growth: stars, past_period_growth: past }: Row): string {
  if (Number(past) === 0) return Number(stars) === 0 ? '–' : 'new';
  return PERCENT.format(Number(percent) / 100);
}

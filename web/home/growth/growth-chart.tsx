import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { Chart } from '../../../charts/chart.js';
import { rowsQuery } from '../../api/rows.js';
import { ErrorMessage } from '../../parts/messages/error-message.js';
import { Loading } from '../../parts/messages/loading.js';
import styles from './growth.module.css';
import { useIdle } from './use-idle.js';

/** Loaded after the page, because the chart library is larger than everything else on it. */
const ResultChart = lazy(async () => ({ default: (await import('../../parts/chart/result-chart.js')).ResultChart }));

const HEIGHT = 297;

const CHART: Chart = {
  chartName: 'LineChart',
  title: 'New stars per month of the five fastest growing collections',
  x: 'date',
  y: ['stars'],
  series: 'collection_name',
};

/** The new stars per month of the collections that grow fastest. */
export function GrowthChart() {
  const isIdle = useIdle();
  const { data, error, refetch } = useQuery(rowsQuery('collections-growth-history', { top: 5 }));
  const waiting = <Loading height={HEIGHT} label="Loading the chart" />;
  return (
    <div className={styles.chart}>
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {error === null && (data === undefined || !isIdle) && waiting}
      {data !== undefined && isIdle && (
        <Suspense fallback={waiting}>
          <ResultChart chart={CHART} fields={data.fields} rows={data.data} height={HEIGHT} />
        </Suspense>
      )}
    </div>
  );
}

import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Chart } from '../../../engine/charts/chart.js';
import { viewOf } from '../../../engine/charts/chart-views.js';
import { selectChart } from '../../../engine/charts/fitting-charts.js';
import type { SearchValues } from '../../app/search-text.js';
import { ChartChoice } from './chart-choice.js';
import { ResultChart, type ResultChartProps } from './result-chart.js';

interface ChangeableChartProps extends Pick<ResultChartProps, 'fields' | 'rows' | 'isPart' | 'sources' | 'dataAsOf'> {
  readonly title: string;
  /** The chart to show until the reader selects one; null for the chart that fits the result best. */
  readonly preferred: Chart | null;
}

/** Shows a result as the chart that the reader chose, which `_chart` in the URL contains. A table below it shows the rows. */
export function ChangeableChart({ title, preferred, ...result }: ChangeableChartProps) {
  const search: SearchValues = useSearch({ strict: false });
  const { fields, rows } = result;
  const { pathname } = useLocation();
  const { _chart: kind } = search;
  const navigate = useNavigate();
  const { chart, fitting } = useMemo(
    () => selectChart({ title, fields, rows }, preferred, kind),
    [title, preferred, fields, rows, kind],
  );
  const choose = (view: string) =>
    void navigate({ to: pathname, search: { ...search, _chart: view }, replace: true, resetScroll: false });
  return (
    <>
      <ChartChoice fitting={fitting} chosen={viewOf(chart)} onChoose={choose} />
      {chart.chartName !== 'Table' && <ResultChart chart={chart} {...result} />}
    </>
  );
}

import { useId, useMemo } from 'react';
import type { Chart } from '../../../engine/charts/chart.js';
import type { ChartSource } from '../../../engine/charts/incomplete-times.js';
import { type DrawnChart, fittingHeight, isDrawn } from '../../../engine/charts/options/fitting-height.js';
import type { ChartFields, ChartRows } from '../../../engine/charts/result-column.js';
import { Loading } from '../messages/loading.js';
import { NumberCard, PersonalCard, RepoCard } from './cards.js';
import styles from './chart.module.css';
import type { ChartRequest } from './thread/chart-messages.js';
import { useBoxWidth } from './use-box-width.js';
import { useDrawnChart } from './use-drawn-chart.js';
import { useTheme } from './use-theme.js';

export interface ResultChartProps {
  readonly chart: Chart;
  readonly fields: ChartFields;
  readonly rows: ChartRows;
  /** Whether the result has more rows than `rows`. */
  readonly isPart: boolean;
  /** The sources of the numbers; null if they are not known completely. Times for which the sources are incomplete are shaded. */
  readonly sources?: readonly ChartSource[] | null | undefined;
  /** The time of the newest data (ISO 8601). If the last interval of a chart has not ended at this time, it looks different. */
  readonly dataAsOf?: string | null | undefined;
  /** Height in pixels, which is reserved before the chart is loaded. By default, the height depends on the chart. */
  readonly height?: number;
}

/**
 * Shows a chart of a result. The chart library is loaded in its own thread when the first chart is shown. A `Table` is not a chart: pages show it as a
 * `ResultTable`.
 */
export function ResultChart(props: ResultChartProps) {
  const { chart, fields, rows } = props;
  const [row] = rows;
  if (row === undefined || chart.chartName === 'Table') return null;
  if (isDrawn(chart)) return <DrawnResult {...props} chart={chart} />;
  if (chart.chartName === 'NumberCard') return <NumberCard chart={chart} fields={fields} row={row} />;
  if (chart.chartName === 'PersonalCard') return <PersonalCard chart={chart} fields={fields} row={row} />;
  return <RepoCard chart={chart} fields={fields} row={row} />;
}

const NO_SOURCES: readonly ChartSource[] = [];

function DrawnResult({
  chart,
  fields,
  rows,
  isPart,
  sources = NO_SOURCES,
  dataAsOf = null,
  height,
}: ResultChartProps & { readonly chart: DrawnChart }) {
  const [box, width] = useBoxWidth();
  const theme = useTheme();
  const labelId = useId();
  const boxHeight = height ?? fittingHeight(chart, fields, rows, width ?? DEFAULT_WIDTH);
  const request = useMemo((): ChartRequest | undefined => {
    if (width === undefined) return undefined;
    const look = { theme, width, height: boxHeight, locale: navigator.language };
    return { chart, fields, rows, isPart, sources, dataAsOf, look, ratio: window.devicePixelRatio };
  }, [width, boxHeight, theme, chart, fields, rows, isPart, sources, dataAsOf]);
  const { canvas, texts, isBusy, error } = useDrawnChart(request);
  return (
    <figure className={styles.figure} aria-busy={isBusy}>
      <div ref={box} className={styles.box} style={{ height: boxHeight }}>
        {error !== undefined && <p role="alert">The chart could not be loaded. Show the result as a table.</p>}
        {error === undefined && texts === undefined && <Loading height={boxHeight} label="Loading the chart" />}
        <canvas
          ref={canvas}
          className={styles.canvas}
          role="img"
          aria-labelledby={labelId}
          hidden={error !== undefined || texts === undefined}
        />
      </div>
      <p id={labelId} className={styles.hidden}>
        {chart.title}. {texts?.summary}
      </p>
      <figcaption className={styles.notes}>
        {texts?.notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </figcaption>
    </figure>
  );
}

/** The width for which the height is computed until the width of the element is measured. */
const DEFAULT_WIDTH = 800;

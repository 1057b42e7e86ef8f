import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { Chart } from '../../../charts/chart.js';
import { type DrawnChart, drawChart, fittingHeight, isDrawn } from '../../../charts/options/draw-chart.js';
import type { ChartFields, ChartRows } from '../../../charts/result-column.js';
import { Loading } from '../messages/loading.js';
import type { Canvas } from './canvas.js';
import { NumberCard, PersonalCard, RepoCard } from './cards.js';
import styles from './chart.module.css';
import { useBoxWidth } from './use-box-width.js';
import { useTheme } from './use-theme.js';

export interface ResultChartProps {
  readonly chart: Chart;
  readonly fields: ChartFields;
  readonly rows: ChartRows;
  /** Height in pixels, which is reserved before the chart is loaded. Without it, the chart has the height that fits it. */
  readonly height?: number;
}

/**
 * Shows a chart of a result. The chart library is loaded when the first chart is shown. A `Table` is not a chart: pages show it as a
 * `ResultTable`.
 */
export function ResultChart(props: ResultChartProps) {
  const { chart, fields, rows } = props;
  const [row] = rows;
  if (row === undefined || chart.chartName === 'Table') return null;
  if (isDrawn(chart)) return <DrawnResult {...props} chart={chart} />;
  if (chart.chartName === 'NumberCard') return <NumberCard chart={chart} row={row} />;
  if (chart.chartName === 'PersonalCard') return <PersonalCard chart={chart} fields={fields} row={row} />;
  return <RepoCard chart={chart} fields={fields} row={row} />;
}

function DrawnResult({ chart, fields, rows, height }: ResultChartProps & { readonly chart: DrawnChart }) {
  const [box, width] = useBoxWidth();
  const theme = useTheme();
  const [canvas, error] = useCanvasModule(chart.chartName === 'MapChart');
  const labelId = useId();
  const boxHeight = height ?? fittingHeight(chart, fields, rows, width ?? DEFAULT_WIDTH);
  const drawing = useMemo(() => {
    if (canvas === undefined || width === undefined) return undefined;
    const { world } = canvas;
    const look = { theme, width, height: boxHeight, locale: navigator.language, ...(world !== undefined && { world }) };
    return drawChart(chart, fields, rows, look);
  }, [canvas, width, boxHeight, theme, chart, fields, rows]);
  const host = useDrawnOption(canvas, drawing?.option);
  return (
    <figure className={styles.figure}>
      <div ref={box} className={styles.box} style={{ height: boxHeight }}>
        {error !== undefined && <p role="alert">The chart could not be loaded. Show the result as a table.</p>}
        {error === undefined && drawing === undefined && <Loading height={boxHeight} label="Loading the chart" />}
        {drawing !== undefined && <div ref={host} className={styles.canvas} role="img" aria-labelledby={labelId} />}
      </div>
      <p id={labelId} className={styles.hidden}>
        {chart.title}. {drawing?.summary}
      </p>
      <figcaption className={styles.notes}>
        {drawing?.notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </figcaption>
    </figure>
  );
}

/** The width that the height is computed for before the box is measured. */
const DEFAULT_WIDTH = 800;

/** Loads the chart library, and the map if it is needed. */
function useCanvasModule(needsMap: boolean): readonly [Canvas | undefined, unknown] {
  const [canvas, setCanvas] = useState<Canvas>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let isCurrent = true;
    import('./canvas.js')
      .then(({ loadCanvas }) => loadCanvas(needsMap))
      .then(
        (loaded) => isCurrent && setCanvas(() => loaded),
        (failure: unknown) => isCurrent && setError(failure),
      );
    return () => {
      isCurrent = false;
    };
  }, [needsMap]);
  const isReady = !needsMap || canvas?.world !== undefined;
  return [isReady ? canvas : undefined, error];
}

/** Draws an option in the element with the returned ref, and draws it again when the option changes. */
function useDrawnOption(canvas: Canvas | undefined, option: Readonly<Record<string, unknown>> | undefined) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<ReturnType<Canvas['create']>>(undefined);
  useEffect(() => {
    if (canvas === undefined || option === undefined || host.current === null) return;
    chart.current ??= canvas.create(host.current);
    chart.current.draw(option);
  }, [canvas, option]);
  useEffect(() => () => chart.current?.dispose(), []);
  return host;
}

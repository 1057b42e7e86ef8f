import type { Chart, ChartName } from '../../../engine/charts/chart.js';
import { CHART_LABELS } from '../../../engine/charts/fitting-charts.js';
import styles from './chart.module.css';

export interface ChartChoiceProps {
  /** The charts that can show the result, from `selectChart`. */
  readonly fitting: readonly Chart[];
  readonly chosen: ChartName;
  /** Called when the reader has selected a kind of chart. Pages store it in the URL as `_chart`. */
  readonly onChoose: (chartName: ChartName) => void;
}

/** Lets the reader choose between the charts of a result. Renders nothing if only one chart fits. */
export function ChartChoice({ fitting, chosen, onChoose }: ChartChoiceProps) {
  if (fitting.length < 2) return null;
  return (
    <fieldset aria-label="Show as" className={styles.choice}>
      {fitting.map(({ chartName }) => (
        <button key={chartName} type="button" aria-pressed={chartName === chosen} onClick={() => onChoose(chartName)}>
          {CHART_LABELS[chartName]}
        </button>
      ))}
    </fieldset>
  );
}

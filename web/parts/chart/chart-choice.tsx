import type { Chart } from '../../../engine/charts/chart.js';
import { type ChartView, VIEW_LABELS, viewOf } from '../../../engine/charts/chart-views.js';
import styles from './chart.module.css';

export interface ChartChoiceProps {
  /** The charts that can show the result, from `selectChart`. */
  readonly fitting: readonly Chart[];
  readonly chosen: ChartView;
  /** Called when the reader has selected a view. Pages store it in the URL as `_chart`. */
  readonly onChoose: (view: ChartView) => void;
}

/** Lets the reader choose between the charts of a result. Renders nothing if only one chart fits. */
export function ChartChoice({ fitting, chosen, onChoose }: ChartChoiceProps) {
  if (fitting.length < 2) return null;
  return (
    <fieldset aria-label="Show as" className={styles.choice}>
      {fitting.map(viewOf).map((view) => (
        <button key={view} type="button" aria-pressed={view === chosen} onClick={() => onChoose(view)}>
          {VIEW_LABELS[view]}
        </button>
      ))}
    </fieldset>
  );
}

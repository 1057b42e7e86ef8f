import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { VIEW_LABELS, viewOf } from '../../engine/charts/chart-views.js';
import type { ParameterTexts } from '../parts/form/parameter-values.js';
import { Icon } from '../parts/layout/icon.js';
import { placeAtButton } from '../parts/popover/place-at-button.js';
import styles from './data-page.module.css';
import type { ShownResult } from './page-block.js';

interface BlockMenuProps {
  readonly title: string;
  readonly endpoint: string;
  readonly values: ParameterTexts;
  /** Undefined until the result is known. */
  readonly shown: ShownResult | undefined;
  readonly onKindChange: (kind: string) => void;
}

/** A menu with the available charts, and with a link to the endpoint of the result. */
export function BlockMenu({ title, endpoint, values, shown, onKindChange }: BlockMenuProps) {
  const id = useId();
  const chosen = shown && viewOf(shown.chart);
  return (
    <>
      <button type="button" className={styles.menuButton} popoverTarget={id} aria-label={`Options of ${title}`}>
        <Icon name="more" />
      </button>
      <div
        id={id}
        popover="auto"
        className={styles.menu}
        role="dialog"
        aria-label={`Options of ${title}`}
        onToggle={placeAtButton}
      >
        {shown && shown.fitting.length > 1 && (
          <fieldset>
            <legend>Show as</legend>
            {shown.fitting.map(viewOf).map((view) => (
              <label key={view}>
                <input type="radio" name={id} checked={view === chosen} onChange={() => onKindChange(view)} />
                {VIEW_LABELS[view]}
              </label>
            ))}
          </fieldset>
        )}
        <Link to="/e/$name" params={{ name: endpoint }} search={values as never}>
          <Icon name="endpoint" /> Open the endpoint
        </Link>
      </div>
    </>
  );
}

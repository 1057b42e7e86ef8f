import { Link } from '@tanstack/react-router';
import { type ToggleEvent, useId } from 'react';
import { CHART_LABELS } from '../../engine/charts/fitting-charts.js';
import { NOT_SHARED } from '../access/describe-access.js';
import type { ParameterValues } from '../api/rows.js';
import { writeSearch } from '../app/search-text.js';
import { toText } from '../parts/form/parameter-values.js';
import { Icon } from '../parts/layout/icon.js';
import styles from './data-page.module.css';
import type { ShownResult } from './page-block.js';

interface BlockMenuProps {
  readonly title: string;
  readonly endpoint: string;
  readonly params: ParameterValues;
  /** Whether other sites and plain links can read the result. */
  readonly isPublic: boolean;
  /** Undefined until the result is known. */
  readonly shown: ShownResult | undefined;
  readonly onKindChange: (kind: string) => void;
}

/** A menu with the available charts and with links to the same result: its endpoint, a page to embed, and images. */
export function BlockMenu({ title, endpoint, params, isPublic, shown, onKindChange }: BlockMenuProps) {
  const id = useId();
  const chartName = shown?.chart.chartName;
  const search = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, toText(value)]));
  const query = writeSearch({ ...search, _chart: chartName });
  const name = encodeURIComponent(endpoint);
  const hasImage = chartName !== undefined && chartName !== 'Table';
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
        onToggle={placeMenu}
      >
        {shown && shown.fitting.length > 1 && (
          <fieldset>
            <legend>Show as</legend>
            {shown.fitting.map((one) => (
              <label key={one.chartName}>
                <input
                  type="radio"
                  name={id}
                  checked={one.chartName === chartName}
                  onChange={() => onKindChange(one.chartName)}
                />
                {CHART_LABELS[one.chartName]}
              </label>
            ))}
          </fieldset>
        )}
        <Link to="/e/$name" params={{ name: endpoint }} search={search as never}>
          <Icon name="endpoint" /> Open the endpoint
        </Link>
        {isPublic ? (
          <a href={`embed/e/${name}${query}`}>
            <Icon name="code" /> Embed
          </a>
        ) : (
          <p>{NOT_SHARED}</p>
        )}
        {isPublic && hasImage && (
          <>
            <a href={`e/${name}.svg${query}`} download>
              <Icon name="download" /> Download as SVG
            </a>
            <a href={`e/${name}.png${query}`} download>
              <Icon name="download" /> Download as PNG
            </a>
          </>
        )}
      </div>
    </>
  );
}

const GAP = 4;

/** Places the menu below its button, inside the window. */
function placeMenu(event: ToggleEvent<HTMLElement>) {
  const menu = event.currentTarget;
  const button = menu.previousElementSibling?.getBoundingClientRect();
  if (event.newState !== 'open' || button === undefined) return;
  const { width, height } = menu.getBoundingClientRect();
  const below = button.bottom + GAP;
  const top = below + height <= window.innerHeight ? below : Math.max(GAP, button.top - GAP - height);
  menu.style.left = `${Math.max(GAP, button.right - width)}px`;
  menu.style.top = `${top}px`;
}

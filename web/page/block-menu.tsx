import { Link } from '@tanstack/react-router';
import { type ToggleEvent, useId } from 'react';
import type { ChartName } from '../../charts/chart.js';
import type { ParameterValues } from '../api/rows.js';
import { writeSearch } from '../app/search-text.js';
import { toText } from '../parts/form/parameter-values.js';
import { Icon } from '../parts/layout/icon.js';
import styles from './data-page.module.css';

interface BlockMenuProps {
  readonly title: string;
  readonly endpoint: string;
  readonly params: ParameterValues;
  /** The kind of chart that the block shows. */
  readonly chartName: ChartName | undefined;
}

/** Links to the same result elsewhere: its endpoint, a page for frames, and images. */
export function BlockMenu({ title, endpoint, params, chartName }: BlockMenuProps) {
  const id = useId();
  const search = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, toText(value)]));
  const query = writeSearch({ ...search, _chart: chartName });
  const name = encodeURIComponent(endpoint);
  const hasImage = chartName !== undefined && chartName !== 'Table';
  return (
    <>
      <button type="button" className={styles.menuButton} popoverTarget={id} aria-label={`Links of ${title}`}>
        <Icon name="menu" />
      </button>
      <nav id={id} popover="auto" className={styles.menu} aria-label={`Links of ${title}`} onToggle={placeMenu}>
        <Link to="/e/$name" params={{ name: endpoint }} search={search as never}>
          <Icon name="endpoint" /> Open the endpoint
        </Link>
        <a href={`embed/e/${name}${query}`}>
          <Icon name="code" /> Embed
        </a>
        {hasImage && (
          <>
            <a href={`e/${name}.svg${query}`} download>
              <Icon name="download" /> Download as SVG
            </a>
            <a href={`e/${name}.png${query}`} download>
              <Icon name="download" /> Download as PNG
            </a>
          </>
        )}
      </nav>
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

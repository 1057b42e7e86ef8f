import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ROOT_URL } from '../../app/root-url.js';
import { useTheme } from '../../parts/chart/use-theme.js';
import { Message } from '../../parts/messages/message.js';
import { BY_CHANGE } from './by-change.js';
import styles from './growth.module.css';

const NAME = 'collections-growth-history';
const SHOWN = { top: '5', ...BY_CHANGE } as const;
const SMALL_SCREEN = 640;
const ALT = 'Chart: new stars per month of the five fastest growing collections, in the last two years';

/**
 * The new stars per month of the collections that grow fastest, as an image from the service, because the chart library would be larger
 * than everything else on the start page. The link opens the page with the same chart and its values.
 */
export function GrowthChart() {
  const theme = useTheme();
  const [isBroken, setBroken] = useState(false);
  const [width, height] = window.innerWidth < SMALL_SCREEN ? [340, 440] : [680, 340];
  const search = new URLSearchParams({ ...SHOWN, _theme: theme, _width: String(width), _height: String(height) });
  const source = new URL(`e/${NAME}.svg?${search}`, ROOT_URL).href;
  if (isBroken) {
    return (
      <Message tone="warning" role="status" title="The chart could not be loaded">
        <Link to="/e/$name" params={{ name: NAME }} search={SHOWN}>
          Open its page
        </Link>
      </Message>
    );
  }
  return (
    <Link to="/e/$name" params={{ name: NAME }} search={SHOWN} className={styles.chart}>
      <img key={source} src={source} width={width} height={height} alt={ALT} onError={() => setBroken(true)} />
    </Link>
  );
}

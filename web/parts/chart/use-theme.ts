import { useSyncExternalStore } from 'react';
import type { Theme } from '../../../engine/charts/look.js';

/** Returns the theme of the page: the chosen theme, or that of the system. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme);
}

const SYSTEM = matchMedia('(prefers-color-scheme: dark)');

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  SYSTEM.addEventListener('change', onChange);
  return () => {
    observer.disconnect();
    SYSTEM.removeEventListener('change', onChange);
  };
}

function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  if (theme === 'light' || theme === 'dark') return theme;
  return SYSTEM.matches ? 'dark' : 'light';
}

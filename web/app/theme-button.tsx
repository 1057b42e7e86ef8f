import { useState } from 'react';
import { IconButton } from '../parts/layout/button.js';

const KEY = 'repo-insight-theme';
const NEXT = { system: 'light', light: 'dark', dark: 'system' } as const;
const ICONS = { system: 'system', light: 'sun', dark: 'moon' } as const;

type Theme = keyof typeof NEXT;

/** A button that switches between the theme of the system, the light and the dark theme. */
export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(readTheme);
  const change = () => {
    const next = NEXT[theme];
    if (next === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    try {
      if (next === 'system') localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, next);
    } catch {
      // If the storage is not available, the choice applies to this page only.
    }
    setTheme(next);
  };
  return <IconButton icon={ICONS[theme]} label={`Theme: ${theme}. Change to ${NEXT[theme]}.`} onClick={change} />;
}

/** `assets/theme.js` applies the stored theme before the first paint. */
function readTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

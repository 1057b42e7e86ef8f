import { useState } from 'react';

const KEY = 'repo-insight-theme';

type Theme = 'light' | 'dark';

/** Switches between the light and the dark theme. Without a choice, the theme of the system applies. */
export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(currentTheme);
  const other = theme === 'light' ? 'dark' : 'light';
  const change = () => {
    document.documentElement.dataset.theme = other;
    try {
      localStorage.setItem(KEY, other);
    } catch {
      // Without storage, the choice applies to this page only.
    }
    setTheme(other);
  };
  return (
    <button type="button" onClick={change} aria-label={`Use the ${other} theme`}>
      {theme === 'light' ? '☾' : '☀'}
    </button>
  );
}

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

import { useLayoutEffect } from 'react';

/** Applies the theme that the embedding site chose with `_theme`. */
export function useEmbeddedTheme(theme: string | undefined): void {
  useLayoutEffect(() => {
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  }, [theme]);
}

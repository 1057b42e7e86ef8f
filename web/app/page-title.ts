import { useEffect } from 'react';

/** Sets the title of the window. The server sets it only for the first page. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · repo-insight`;
  }, [title]);
}

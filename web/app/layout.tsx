import { Outlet, useLocation, useRouterState } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';
import { requestFocus } from '../parts/layout/focus-request.js';
import { useVisits } from '../search/visits.js';
import { Footer } from './footer.js';
import { Header } from './header.js';
import styles from './layout.module.css';

/** The frame of every page: the header, the content of the page, and the footer. Embedded pages have no frame. */
export function Layout() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  useFocusAfterNavigation(main);
  useVisits();
  if (pathname.startsWith('/embed/')) return <Outlet />;
  return (
    <>
      <button type="button" className={styles.skip} onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <Header />
      <main id="content" ref={main} className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
    </>
  );
}

/** Moves the focus to the content after a navigation, and to its heading as soon as the page shows it. */
function useFocusAfterNavigation(main: RefObject<HTMLElement | null>): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const last = useRef(path);
  useEffect(() => {
    const isFirst = last.current === undefined || path === undefined;
    if (last.current === path) return;
    last.current = path;
    if (isFirst) return;
    main.current?.focus({ preventScroll: true });
    const heading = main.current?.querySelector<HTMLElement>('h1[tabindex]');
    if (heading) heading.focus({ preventScroll: true });
    else requestFocus();
  }, [path, main]);
}

import { Outlet, useLocation } from '@tanstack/react-router';
import { useRef } from 'react';
import { useVisits } from '../search/visits.js';
import { useFocusAfterNavigation } from './focus-after-navigation.js';
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

import { Link, Outlet, useLocation } from '@tanstack/react-router';
import styles from './layout.module.css';
import { ThemeButton } from './theme-button.js';

/** The frame of every page: the navigation, and the content of the page. Embedded pages have no frame. */
export function Layout() {
  const { pathname } = useLocation();
  if (pathname.startsWith('/embed/')) return <Outlet />;
  return (
    <>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <header className={styles.header}>
        <Link to="/" className={styles.brand}>
          repo-insight
        </Link>
        <nav aria-label="Main" className={styles.nav}>
          <Link to="/e">Endpoints</Link>
          <Link to="/ask">Ask</Link>
          <Link to="/playground">Playground</Link>
          <a href="docs">API</a>
        </nav>
        <ThemeButton />
        <Link to="/account" className={styles.account}>
          Account
        </Link>
      </header>
      <main id="content" className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
    </>
  );
}

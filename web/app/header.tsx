import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { RemoveKeyButton } from '../access/remove-key-button.js';
import { AccountLink } from '../account/account-link.js';
import { IconButton } from '../parts/layout/button.js';
import { SearchButton } from '../search/search-button.js';
import { Brand } from './brand.js';
import styles from './header.module.css';
import { HAS_PLAYGROUND, OWN_API, SERVICE_NAME } from './own-api.js';
import { ThemeButton } from './theme-button.js';

/** The header: navigation, search, theme and account. On small screens, a button shows the navigation. */
export function Header() {
  const { pathname } = useLocation();
  const [isOpen, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation closes the menu
  useEffect(() => setOpen(false), [pathname]);
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Link to="/" className={styles.brand} aria-label={`${SERVICE_NAME}, start page`}>
          <Brand />
          <span>{SERVICE_NAME}</span>
        </Link>
        <nav
          id="navigation"
          aria-label="Main"
          className={isOpen ? `${styles.nav} ${styles.open}` : styles.nav}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setOpen(false);
          }}
        >
          <Link to="/e">Endpoints</Link>
          {OWN_API === undefined && (
            <>
              <Link to="/p/$" params={{ _splat: 'collections' }}>
                Collections
              </Link>
              <Link to="/ask">Ask</Link>
            </>
          )}
          {HAS_PLAYGROUND && <Link to="/playground">Playground</Link>}
          <a href="docs">API</a>
        </nav>
        <div className={styles.tools}>
          <RemoveKeyButton />
          <SearchButton />
          <ThemeButton />
          {OWN_API === undefined && <AccountLink className={styles.account} />}
          <IconButton
            className={styles.menu}
            icon={isOpen ? 'close' : 'menu'}
            label={isOpen ? 'Close the menu' : 'Open the menu'}
            aria-expanded={isOpen}
            aria-controls="navigation"
            onClick={() => setOpen(!isOpen)}
          />
        </div>
      </div>
    </header>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sessionQuery } from '../api/session.js';
import styles from './layout.module.css';
import { OWN_API } from './own-api.js';

/** The footer: what the service is, its version, and links for developers. */
export function Footer() {
  const { data } = useQuery(sessionQuery);
  return (
    <footer className={styles.footer}>
      <div className={styles.footerContent}>
        <p>
          repo-insight {data?.version}
          {OWN_API === undefined && ' · Analytics of public events of GitHub. All times are UTC.'}
        </p>
        <nav aria-label="For developers">
          <a href="docs">API reference</a>
          <a href="openapi.json">OpenAPI</a>
          <Link to="/e">Endpoints</Link>
          {OWN_API === undefined && <Link to="/playground">SQL playground</Link>}
          <a href="healthy">Health</a>
        </nav>
      </div>
    </footer>
  );
}

import { Link } from '@tanstack/react-router';
import { PageHeader } from '../layout/page-header.js';

export function NotFound() {
  return (
    <section>
      <PageHeader title="Page not found" description="No page has this address." />
      <p>
        <Link to="/">Go to the start page</Link>, <Link to="/e">see all endpoints</Link>, or press <kbd>/</kbd> to
        search.
      </p>
    </section>
  );
}

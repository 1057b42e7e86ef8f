import { Link } from '@tanstack/react-router';
import { PageHeader } from '../layout/page-header.js';

/** Pages with this title are not added to the visited pages. */
export const NOT_FOUND_TITLE = 'Page not found';

export function NotFound() {
  return (
    <section>
      <PageHeader title={NOT_FOUND_TITLE} description="No page has this address." />
      <p>
        <Link to="/">Go to the start page</Link>, <Link to="/e">see all endpoints</Link>, or press <kbd>/</kbd> to
        search.
      </p>
    </section>
  );
}

import { Link } from '@tanstack/react-router';

export function NotFound() {
  return (
    <section>
      <h1>Page not found</h1>
      <p>
        There is nothing at this address. <Link to="/">Go to the start page</Link> or{' '}
        <Link to="/e">see all endpoints</Link>.
      </p>
    </section>
  );
}

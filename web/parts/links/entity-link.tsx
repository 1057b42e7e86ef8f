import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A link to a page of an entity. `path` comes from `entity-links.ts`. */
export function EntityLink({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  return (
    <Link to="/p/$" params={{ _splat: decodeURIComponent(path.slice('/p/'.length)) }}>
      {children}
    </Link>
  );
}

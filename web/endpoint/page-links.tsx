import { Link } from '@tanstack/react-router';
import type { DefinitionDetails } from '../api/definitions.js';
import type { Result } from '../api/rows.js';
import type { SearchValues } from '../app/search-text.js';
import styles from './endpoint.module.css';

export interface PageLinksProps {
  readonly definition: DefinitionDetails;
  readonly search: SearchValues;
  readonly result: Result;
}

/** Links to the previous and the next page of a paged result. */
export function PageLinks({ definition: { name, pagination }, search, result }: PageLinksProps) {
  const page = Number(result.params.page ?? 1);
  const isFirst = page <= 1;
  if (pagination === null || (isFirst && !result.truncated)) return null;
  const searchOf = (next: number) => ({ ...search, page: next === 1 ? '' : String(next) });
  return (
    <nav aria-label="Pages" className={styles.pages}>
      {isFirst ? (
        <span aria-disabled="true">← Previous page</span>
      ) : (
        <Link to="/e/$name" params={{ name }} search={searchOf(page - 1)}>
          ← Previous page
        </Link>
      )}
      <span>
        Page {page}, {result.truncated ? 'more rows on the next page' : 'the last page'}
      </span>
      {result.truncated ? (
        <Link to="/e/$name" params={{ name }} search={searchOf(page + 1)}>
          Next page →
        </Link>
      ) : (
        <span aria-disabled="true">Next page →</span>
      )}
    </nav>
  );
}

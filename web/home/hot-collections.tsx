import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Row, rowsQuery } from '../api/rows.js';
import { Card } from '../parts/layout/card.js';
import { EntityLink } from '../parts/links/entity-link.js';
import { collectionPath } from '../parts/links/entity-links.js';
import { Empty } from '../parts/messages/empty.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import { DataNote } from './data-note.js';
import styles from './home.module.css';

const SHOWN = 7;

interface HotCollection {
  readonly id: string;
  readonly name: string;
  readonly repos: number;
  /** The full names of the collection's repositories with the most new stars. */
  readonly leaders: readonly string[];
}

/** The collections with the most requests, and their repositories that gained the most stars. */
export function HotCollections() {
  const { data, error, refetch } = useQuery(rowsQuery('list-hot-collections', {}));
  const collections = readCollections(data?.data ?? []);
  return (
    <Card
      title="Hot collections"
      description="Most requested, with their fastest repositories."
      footer={
        <DataNote result={data}>
          <Link to="/p/$" params={{ _splat: 'collections' }}>
            All collections
          </Link>
        </DataNote>
      }
    >
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading height="29.6rem" label="Loading the hot collections" />}
      {data !== undefined && collections.length === 0 && (
        <Empty title="No collection has repositories" icon="collection" />
      )}
      <ul className={styles.list}>
        {collections.slice(0, SHOWN).map(({ id, name, repos, leaders }) => (
          <li key={id}>
            <div className={`${styles.row} ${styles.entry}`}>
              <EntityLink path={collectionPath(id)}>{name}</EntityLink>
              <span className={styles.soft}>{repos} repositories</span>
            </div>
            <span className={styles.detail}>{leaders.join(', ')}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Each row contains one repository. The rows of a collection are consecutive. */
function readCollections(rows: readonly Row[]): readonly HotCollection[] {
  const found = new Map<string, HotCollection>();
  for (const row of rows) {
    const id = String(row.id);
    const leaders = [...(found.get(id)?.leaders ?? []), String(row.repo_name)];
    found.set(id, { id, name: String(row.name), repos: Number(row.repos), leaders });
  }
  return [...found.values()];
}

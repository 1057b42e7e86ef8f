import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type DefinitionSummary, definitionsQuery } from '../api/definitions.js';
import { PageHeader } from '../parts/layout/page-header.js';
import { Empty } from '../parts/messages/empty.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import { groupDefinitions } from './group-definitions.js';
import styles from './list.module.css';
import { StateBadges } from './state-badges.js';

/** All definitions by tag, with a filter that is in the URL as `_filter`. */
export function EndpointListPage() {
  const { _filter: filter = '' } = useSearch({ from: '/e' });
  const navigate = useNavigate({ from: '/e' });
  const { data, error, refetch } = useQuery(definitionsQuery);
  const groups = groupDefinitions(data ?? [], filter);
  const count = new Set(groups.flatMap(({ definitions }) => definitions.map(({ name }) => name))).size;
  return (
    <article className={styles.page}>
      <div className={styles.head}>
        <PageHeader
          title="Endpoints"
          description="Each endpoint answers one kind of question, as a table, a chart and an HTTP API."
        />
        <label htmlFor="filter">Filter by name or words</label>
        <input
          id="filter"
          type="search"
          value={filter}
          onChange={(event) => void navigate({ search: { _filter: event.target.value }, replace: true })}
        />
        <p role="status" className={styles.count}>
          {data !== undefined && `${count} of ${data.length} endpoints`}
        </p>
      </div>
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading height={640} label="The endpoints are being loaded" />}
      {data !== undefined && groups.length === 0 && (
        <Empty title={`No endpoint matches “${filter}”`}>Delete a word to see more.</Empty>
      )}
      {groups.map(({ tag, definitions }) => (
        <section key={tag} aria-label={tag}>
          <h2>{tag}</h2>
          <ul className={styles.grid}>
            {definitions.map((definition) => (
              <Item key={definition.name} definition={definition} />
            ))}
          </ul>
        </section>
      ))}
    </article>
  );
}

function Item({ definition }: { readonly definition: DefinitionSummary }) {
  const { name, path, summary } = definition;
  return (
    <li className={styles.item}>
      <Link to="/e/$name" params={{ name }}>
        {summary ?? name}
      </Link>
      <code>{path ?? `/q/${name}`}</code>
      <StateBadges {...definition} />
    </li>
  );
}

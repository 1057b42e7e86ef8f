import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { definitionsQuery } from '../api/definitions.js';
import { PageHeader } from '../parts/layout/page-header.js';
import { EndpointGroups } from './endpoint-groups.js';
import { groupDefinitions } from './group-definitions.js';
import styles from './list.module.css';

/** All definitions by tag, with a filter that is in the URL as `_filter`. */
export function EndpointListPage() {
  const { _filter: filter = '' } = useSearch({ from: '/e' });
  const navigate = useNavigate({ from: '/e' });
  const { data } = useQuery(definitionsQuery);
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
      <EndpointGroups filter={filter} />
    </article>
  );
}

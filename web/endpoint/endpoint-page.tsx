import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { definitionQuery } from '../api/definitions.js';
import { rowsQuery } from '../api/rows.js';
import { ErrorMessage } from '../parts/messages/error-message.js';

export function EndpointPage() {
  const { name } = useParams({ from: '/e/$name' });
  const search = useSearch({ from: '/e/$name' });
  const definition = useQuery(definitionQuery(name));
  const rows = useQuery(rowsQuery(name, search));
  if (definition.error !== null) return <ErrorMessage error={definition.error} />;
  return (
    <article>
      <h1>{definition.data?.summary}</h1>
      {rows.error !== null && <ErrorMessage error={rows.error} />}
      <pre>{JSON.stringify(rows.data?.data.slice(0, 5), undefined, 1)}</pre>
    </article>
  );
}

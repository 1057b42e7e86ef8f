import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { definitionQuery } from '../api/definitions.js';
import { rowsQuery } from '../api/rows.js';
import { ParameterForm } from '../parts/form/parameter-form.js';
import { Card } from '../parts/layout/card.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { ResultTable } from '../parts/table/result-table.js';

export function EndpointPage() {
  const { name } = useParams({ from: '/e/$name' });
  const search = useSearch({ from: '/e/$name' });
  const navigate = useNavigate();
  const definition = useQuery(definitionQuery(name));
  const rows = useQuery(rowsQuery(name, search));
  if (definition.error !== null) return <ErrorMessage error={definition.error} />;
  return (
    <article>
      <h1>{definition.data?.summary}</h1>
      <Card>
        <ParameterForm
          label="Parameters"
          definition={name}
          parameters={definition.data?.parameters ?? []}
          values={search}
          onChange={(values) => navigate({ search: values, to: '.' } as never)}
        />
      </Card>
      {rows.error !== null && <ErrorMessage error={rows.error} />}
      {rows.data && <ResultTable label="Result" fields={rows.data.fields} rows={rows.data.data} />}
    </article>
  );
}

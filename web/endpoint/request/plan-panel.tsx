import { useQuery } from '@tanstack/react-query';
import { callOperation } from '../../api/operations.js';
import type { Row } from '../../api/rows.js';
import { writeSearch } from '../../app/search-text.js';
import type { ParameterTexts } from '../../parts/form/parameter-values.js';
import { ErrorMessage } from '../../parts/messages/error-message.js';
import { Loading } from '../../parts/messages/loading.js';
import { ResultTable, type TableField } from '../../parts/table/result-table.js';
import styles from './request.module.css';

interface Plan {
  readonly fields: readonly TableField[];
  readonly data: readonly Row[];
}

/** The plan of the database for the query. It is requested when the reader opens it. */
export function PlanPanel({ name, values }: { readonly name: string; readonly values: ParameterTexts }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['plan', name, values],
    queryFn: ({ signal }) =>
      callOperation<Plan>(`q/explain/${encodeURIComponent(name)}/${writeSearch(values)}`, { signal }),
  });
  if (error !== null) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading height={240} label="The plan is being loaded" />;
  const text = planText(data);
  if (text === undefined)
    return <ResultTable label="Plan" fields={data.fields} rows={data.data} maxHeight={400} isSql />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach an area that scrolls
    <pre className={styles.plan} tabIndex={0}>
      {text}
    </pre>
  );
}

/** DuckDB returns its plan as a drawing in one cell. MySQL and TiDB return rows. */
function planText({ data }: Plan): string | undefined {
  const cells = data.flatMap((row) => Object.values(row));
  const drawings = cells.filter((cell) => typeof cell === 'string' && cell.includes('\n'));
  return drawings.length === 0 ? undefined : drawings.join('\n');
}

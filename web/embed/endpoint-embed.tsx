import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { selectChart } from '../../engine/charts/fitting-charts.js';
import { columnText, labelText } from '../../engine/charts/label-text.js';
import { addPresentation } from '../../engine/charts/result-column.js';
import { type DefinitionDetails, definitionQuery } from '../api/definitions.js';
import { isPart, type ParameterValues, type Result, rowsQuery } from '../api/rows.js';
import { SERVICE_NAME } from '../app/own-api.js';
import { ROOT_URL } from '../app/root-url.js';
import { type SearchValues, writeSearch } from '../app/search-text.js';
import { ResultChart } from '../parts/chart/result-chart.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import { ResultNotes } from '../parts/result/result-notes.js';
import { ResultTable } from '../parts/table/result-table.js';
import styles from './embed.module.css';
import { useEmbeddedTheme } from './use-embedded-theme.js';

/** The result of a definition for a frame on another site: without navigation, with a link to its page. */
export function EndpointEmbed() {
  const { name } = useParams({ from: '/embed/e/$name' });
  const search = useSearch({ from: '/embed/e/$name' });
  useEmbeddedTheme(search._theme);
  const definition = useQuery(definitionQuery(name));
  const params = useMemo(() => definitionParams(search), [search]);
  const rows = useQuery(rowsQuery(name, params));
  const title = definition.data?.summary ?? name;
  const asked = Object.entries(params).map(
    ([key, value]) => `${columnText({ name: key })}: ${labelText(String(value))}`,
  );
  const page = new URL(`e/${encodeURIComponent(name)}${writeSearch(search)}`, ROOT_URL).href;
  const error = rows.error ?? definition.error;
  return (
    <main className={styles.embed}>
      <h1 className={styles.title}>{title}</h1>
      {asked.length > 0 && <p className={styles.asked}>{asked.join(' · ')}</p>}
      {error !== null && <ErrorMessage error={error} />}
      {error === null && (rows.data === undefined || definition.data === undefined) && <Loading height={320} />}
      {error === null && rows.data !== undefined && definition.data !== undefined && (
        <EmbeddedResult title={title} result={rows.data} definition={definition.data} kind={search._chart} />
      )}
      <p className={styles.source}>
        <a href={page} target="_blank" rel="noopener">
          Open in {SERVICE_NAME}
        </a>
      </p>
    </main>
  );
}

/** Returns the parameter values in the URL, without the values for the view. */
function definitionParams(search: SearchValues): ParameterValues {
  return Object.fromEntries(Object.entries(search).filter(([name]) => !name.startsWith('_')));
}

interface EmbeddedResultProps {
  readonly title: string;
  readonly result: Result;
  readonly definition: DefinitionDetails;
  readonly kind: string | undefined;
}

function EmbeddedResult({ title, result, definition: { columns, chart: preferred }, kind }: EmbeddedResultProps) {
  const { data: rows } = result;
  const fields = useMemo(() => addPresentation(result.fields, columns), [result.fields, columns]);
  const { chart } = useMemo(
    () => selectChart({ title, fields, rows }, preferred, kind),
    [title, fields, rows, preferred, kind],
  );
  return (
    <>
      {chart.chartName === 'Table' ? (
        <ResultTable label={title} fields={fields} rows={rows} />
      ) : (
        <ResultChart
          {...{ chart, fields, rows }}
          isPart={isPart(result)}
          sources={result.sources}
          dataAsOf={result.dataAsOf}
        />
      )}
      <ResultNotes result={result} />
    </>
  );
}

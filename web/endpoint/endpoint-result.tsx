import { useMemo } from 'react';
import { chooseChart } from '../../charts/choose-chart.js';
import type { DefinitionDetails } from '../api/definitions.js';
import type { Result } from '../api/rows.js';
import type { SearchValues } from '../app/search-text.js';
import { ResultChart } from '../parts/chart/result-chart.js';
import { ResultNotes } from '../parts/result/result-notes.js';
import { ResultTable, type TableField } from '../parts/table/result-table.js';
import { Tabs } from '../parts/tabs/tabs.js';
import styles from './endpoint.module.css';
import { parametersOf, tableViewOf, withTableView } from './endpoint-search.js';
import { PageLinks } from './page-links.js';
import { ResultActions } from './result-actions.js';

export interface EndpointResultProps {
  readonly definition: DefinitionDetails;
  readonly search: SearchValues;
  readonly result: Result;
  /** Whether the result of other values is shown until the new one arrives. */
  readonly isOld: boolean;
  /** Replaces the URL without a new entry in the history. */
  readonly onView: (search: SearchValues) => void;
}

const TABS = [
  { name: 'chart', label: 'Chart' },
  { name: 'table', label: 'Table' },
] as const;

/** A result as a chart or as a table, with everything that the reader must know about it. */
export function EndpointResult({ definition, search, result, isOld, onView }: EndpointResultProps) {
  const { fields, data: rows } = result;
  const { summary } = definition;
  const chart = useMemo(() => chooseChart(summary, fields, rows), [summary, fields, rows]);
  const hasChart = chart.chartName !== 'Table';
  const view = hasChart && search._view !== 'table' ? 'chart' : 'table';
  const values = parametersOf(search);
  const images: Record<string, string> = search._chart === undefined ? {} : { _chart: search._chart };
  const actions = <ResultActions {...{ definition, values, result, hasChart }} view={images} />;
  const described = useMemo(() => describeFields(fields, definition), [fields, definition]);
  return (
    <section aria-label="Result" aria-busy={isOld} className={isOld ? styles.old : undefined}>
      <ResultNotes result={result} hasTiming />
      {rows.length === 0 ? (
        <EmptyResult hasNotices={result.notices.length > 0} />
      ) : (
        <Tabs
          label="Result"
          tabs={hasChart ? TABS : TABS.slice(1)}
          chosen={view}
          onChoose={(name) => onView({ ...search, _view: name === 'chart' ? '' : name })}
          actions={actions}
        >
          {view === 'chart' ? (
            <ResultChart chart={chart} fields={fields} rows={rows} />
          ) : (
            <ResultTable
              label={summary}
              fields={described}
              rows={rows}
              view={tableViewOf(search)}
              onViewChange={(next) => onView(withTableView(search, next))}
            />
          )}
        </Tabs>
      )}
      <PageLinks definition={definition} search={search} result={result} />
    </section>
  );
}

function describeFields(fields: readonly TableField[], { columns }: DefinitionDetails): readonly TableField[] {
  return fields.map((field) => {
    const description = columns.find(({ name }) => name === field.name)?.description;
    return { ...field, ...(description !== undefined && { description }) };
  });
}

function EmptyResult({ hasNotices }: { readonly hasNotices: boolean }) {
  return (
    <div className={styles.empty}>
      <strong>No rows</strong>
      <p>
        The query succeeded, and no row matches these values.{' '}
        {hasNotices ? 'The notices above give the reason.' : 'Change a parameter to see rows.'}
      </p>
    </div>
  );
}

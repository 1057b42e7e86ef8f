import { useMemo } from 'react';
import { viewOf } from '../../engine/charts/chart-views.js';
import { selectChart } from '../../engine/charts/fitting-charts.js';
import { addPresentation } from '../../engine/charts/result-column.js';
import { writeSentence } from '../../engine/charts/sentence.js';
import type { DefinitionDetails } from '../api/definitions.js';
import { isPart, type Result } from '../api/rows.js';
import type { SearchValues } from '../app/search-text.js';
import { ChartChoice } from '../parts/chart/chart-choice.js';
import { ResultChart } from '../parts/chart/result-chart.js';
import { Card } from '../parts/layout/card.js';
import { Tabs } from '../parts/layout/tabs.js';
import { Empty } from '../parts/messages/empty.js';
import { ResultNotes } from '../parts/result/result-notes.js';
import { ShareMenu } from '../parts/share/share-menu.js';
import { ResultTable, type TableField } from '../parts/table/result-table.js';
import styles from './endpoint.module.css';
import { parametersOf, tableViewOf, withTableView } from './endpoint-search.js';
import { PageLinks } from './page-links.js';

export interface EndpointResultProps {
  readonly definition: DefinitionDetails;
  readonly search: SearchValues;
  readonly result: Result;
  /** Whether the shown result belongs to the previous values, because the new result has not arrived yet. */
  readonly isOld: boolean;
  /** Replaces the URL without a new entry in the history. */
  readonly onView: (search: SearchValues) => void;
}

const TABS = [
  { id: 'chart', label: 'Chart' },
  { id: 'table', label: 'Table' },
] as const;

/** A result as a chart or as a table, with everything that the reader must know about it. */
export function EndpointResult({ definition, search, result, isOld, onView }: EndpointResultProps) {
  const { data: rows } = result;
  const { summary } = definition;
  const fields = useMemo(
    () => addPresentation<TableField>(result.fields, definition.columns),
    [result.fields, definition],
  );
  const { shown, charts, view } = useView(definition, fields, rows, search);
  const values = parametersOf(search);
  const hasChart = shown !== undefined;
  const images: Record<string, string> = search._chart === undefined ? {} : { _chart: search._chart };
  const sentence =
    definition.sentence === null
      ? undefined
      : writeSentence(definition.sentence, fields, rows, {
          isFirst: !('cursor' in values) && Number(result.params.page ?? 1) === 1,
          isWhole: !isPart(result) && typeof result.nextCursor !== 'string',
          locale: navigator.language,
        });
  const actions = (
    <ShareMenu
      title={summary}
      endpoint={definition.name}
      isPublic={definition.access === null}
      view={images}
      {...{ values, result, hasChart }}
    />
  );
  return (
    <Card title={isOld ? 'Result (the new one is being loaded)' : 'Result'} actions={actions}>
      <div aria-busy={isOld} className={isOld ? styles.old : styles.result}>
        <ResultNotes result={result} hasTiming isPage={definition.pagination !== null} />
        {rows.length === 0 ? (
          <EmptyResult hasNotices={result.notices.length > 0} />
        ) : (
          <div>
            {sentence !== undefined && <p className={styles.sentence}>{sentence}</p>}
            <Tabs
              label="Result"
              tabs={hasChart ? TABS : TABS.slice(1)}
              selected={view}
              onSelect={(id) => onView({ ...search, _view: id })}
            >
              {view === 'chart' && shown !== undefined ? (
                <div className={styles.chart}>
                  <ChartChoice
                    fitting={charts}
                    chosen={viewOf(shown)}
                    onChoose={(name) => onView({ ...search, _chart: name })}
                  />
                  <ResultChart
                    chart={shown}
                    fields={fields}
                    rows={rows}
                    isPart={isPart(result)}
                    sources={result.sources}
                    dataAsOf={result.dataAsOf}
                  />
                </div>
              ) : (
                <ResultTable
                  label={summary}
                  fields={fields}
                  rows={rows}
                  view={tableViewOf(search)}
                  onViewChange={(next) => onView(withTableView(search, next))}
                />
              )}
            </Tabs>
          </div>
        )}
        <PageLinks definition={definition} search={search} result={result} />
      </div>
    </Card>
  );
}

/** Selects the table or a chart: from the URL, or else by what fits the result. */
function useView(
  { summary: title, chart: preferred }: DefinitionDetails,
  fields: readonly TableField[],
  rows: Result['data'],
  search: SearchValues,
) {
  const { _chart: kind, _view } = search;
  const { chart, fitting } = useMemo(
    () => selectChart({ title, fields, rows }, preferred, kind),
    [title, fields, rows, preferred, kind],
  );
  const charts = fitting.filter(({ chartName }) => chartName !== 'Table');
  const isTable = chart.chartName === 'Table';
  const shown = isTable ? charts[0] : chart;
  const wanted = _view ?? (isTable ? 'table' : 'chart');
  return { shown, charts, view: shown === undefined || wanted === 'table' ? 'table' : 'chart' } as const;
}

function EmptyResult({ hasNotices }: { readonly hasNotices: boolean }) {
  return (
    <Empty icon="table" title="No rows">
      The query succeeded, and no row matches these values.{' '}
      {hasNotices ? 'The notices above give the reason.' : 'Change a parameter to see rows.'}
    </Empty>
  );
}

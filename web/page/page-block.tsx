import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Chart } from '../../engine/charts/chart.js';
import { viewOf } from '../../engine/charts/chart-views.js';
import { isSameChart, selectChart, withTitle } from '../../engine/charts/fitting-charts.js';
import { addPresentation, type ChartField, type ChartFields } from '../../engine/charts/result-column.js';
import type { PageBlock } from '../api/pages.js';
import { isPart, type ParameterValues, type Result } from '../api/rows.js';
import { ResultChart } from '../parts/chart/result-chart.js';
import { type ParameterTexts, toText } from '../parts/form/parameter-values.js';
import { formatNumber } from '../parts/format/format.js';
import { Card } from '../parts/layout/card.js';
import { MarkdownBlocks } from '../parts/markdown/markdown.js';
import { Empty } from '../parts/messages/empty.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import { ResultNotes } from '../parts/result/result-notes.js';
import { ShareMenu } from '../parts/share/share-menu.js';
import { ResultTable } from '../parts/table/result-table.js';
import { BlockMenu } from './block-menu.js';
import styles from './data-page.module.css';
import { fillMarkdown } from './fill-markdown.js';
import { fillText, paramsOf } from './fill-places.js';
import { MAX_TABLE_HEIGHT } from './reserved-height.js';
import { blockQuery, isSharedFailure, type SharedMessages } from './shared-messages.js';
import { useReservedHeight } from './use-reserved-height.js';

interface BlockProps {
  readonly block: PageBlock;
  readonly values: ParameterTexts;
  /** Messages that the page shows instead of each of its blocks. */
  readonly shared: SharedMessages;
  /** The kind of chart that the reader chose. */
  readonly kind: string | undefined;
  readonly onKindChange: (kind: string) => void;
}

/** A block of a page: a text, or the result of a definition with its own states. */
export function PageBlockCard(props: BlockProps) {
  const { block, values } = props;
  const title = block.title === null ? undefined : fillText(block.title, values);
  const text = block.text !== null && <MarkdownBlocks blocks={fillMarkdown(block.text, values)} level={3} />;
  const className = styles[block.width];
  if (block.endpoint === null) {
    return (
      <Card title={title} className={className}>
        {text}
      </Card>
    );
  }
  return <ResultCard {...props} endpoint={block.endpoint} title={title ?? block.endpoint} text={text} />;
}

interface ResultCardProps extends BlockProps {
  readonly endpoint: string;
  readonly title: string;
  readonly text: React.ReactNode;
}

function ResultCard({ block, values, endpoint, title, text, shared, ...view }: ResultCardProps) {
  const texts = textsOf(paramsOf(block, values));
  const { data, error, refetch, isPlaceholderData } = useQuery(blockQuery(endpoint, block, values));
  const result = data === undefined || error !== null ? undefined : data;
  const shown = useMemo(
    () => result && selectShown(result, block, title, view.kind),
    [result, block, title, view.kind],
  );
  const { ref, height, isKept } = useReservedHeight(block, result !== undefined);
  return (
    <Card
      title={title}
      className={styles[block.width]}
      actions={
        <>
          {result && shown && (
            <ShareMenu
              {...{ title, endpoint, result }}
              values={texts}
              view={{ _chart: viewOf(shown.chart) }}
              isPublic={block.access === null}
              hasChart={shown.chart.chartName !== 'Table' && isInImages(shown, block, result)}
              isSmall
            />
          )}
          <BlockMenu {...{ title, endpoint, shown }} values={texts} onKindChange={view.onKindChange} />
        </>
      }
    >
      {text && <div className={styles.text}>{text}</div>}
      <div
        ref={ref}
        className={styles.body}
        {...(isKept && { style: { minHeight: height } })}
        aria-busy={isPlaceholderData || (error === null && data === undefined)}
      >
        {isSharedFailure(error, shared.failure) && (
          <div className={styles.empty}>
            <Empty icon="warning" title="Not loaded: the message above states the reason" />
          </div>
        )}
        {error !== null && !isSharedFailure(error, shared.failure) && <ErrorMessage error={error} onRetry={refetch} />}
        {error === null && data === undefined && <Loading height={height} label={`Loading ${title}`} />}
        {shown && <Shown shown={shown} title={title} />}
      </div>
      {result && <RowsNote result={result} block={block} endpoint={endpoint} values={texts} />}
      {result ? (
        <ResultNotes result={withoutShared(withoutOwnLimit(result, block), shared.notices)} />
      ) : (
        <div className={styles.notes} aria-hidden="true" />
      )}
    </Card>
  );
}

/** Removes the truncation mark if the block's page size caused the truncation, because `RowsNote` reports this. */
function withoutOwnLimit(result: Result, { pageSize }: PageBlock): Result {
  return pageSize !== null && result.data.length === pageSize ? { ...result, truncated: false } : result;
}

function withoutShared(result: Result, shared: readonly string[]): Result {
  return shared.length === 0
    ? result
    : { ...result, notices: result.notices.filter((notice) => !shared.includes(notice)) };
}

/** Whether images, which know only the definition, show the same chart as the block. */
function isInImages({ chart, fields }: ShownResult, { definitionChart }: PageBlock, { data: rows }: Result): boolean {
  const title = chart.title;
  const preferred = definitionChart === null ? null : withTitle(definitionChart, title);
  return isSameChart(chart, selectChart({ title, fields, rows }, preferred, viewOf(chart)).chart);
}

function textsOf(params: ParameterValues): ParameterTexts {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, toText(value)]));
}

export interface ShownResult {
  readonly chart: Chart;
  readonly fitting: readonly Chart[];
  readonly fields: ChartFields;
  readonly rows: Result['data'];
  readonly isPart: boolean;
  readonly sources: Result['sources'];
  readonly dataAsOf: Result['dataAsOf'];
}

/** Returns the shown part of a result: the first rows, and their chart. */
function selectShown(result: Result, block: PageBlock, title: string, kind: string | undefined): ShownResult {
  const fields = addPresentation<ChartField>(result.fields, block.columns);
  const rows = block.rows === null ? result.data : result.data.slice(0, block.rows);
  const preferred = block.chart === null ? null : { ...block.chart, title: block.chart.title ?? title };
  return {
    ...selectChart({ title, fields, rows }, preferred, kind),
    fields,
    rows,
    isPart: isPart(result) || rows.length < result.data.length,
    sources: result.sources,
    dataAsOf: result.dataAsOf,
  };
}

function Shown({
  shown: { chart, fields, rows, isPart, sources, dataAsOf },
  title,
}: {
  readonly shown: ShownResult;
  readonly title: string;
}) {
  if (rows.length === 0) {
    return (
      <div className={styles.empty}>
        <Empty icon="table" title="The result has no rows" />
      </div>
    );
  }
  if (chart.chartName !== 'Table') return <ResultChart {...{ chart, fields, rows, isPart, sources, dataAsOf }} />;
  const ordered = chart.columns.flatMap((name) => fields.find((field) => field.name === name) ?? []);
  return <ResultTable label={title} fields={ordered} rows={rows} maxHeight={MAX_TABLE_HEIGHT} isPlain />;
}

/** States that more rows exist than the block shows, with a link to all of them. */
function RowsNote({
  result,
  block,
  endpoint,
  values,
}: {
  readonly result: Result;
  readonly block: PageBlock;
  readonly endpoint: string;
  readonly values: ParameterTexts;
}) {
  const { rows } = block;
  const isCut = rows !== null && (result.data.length > rows || result.truncated);
  if (!isCut) return null;
  return (
    <p className={styles.more}>
      The first {formatNumber(Math.min(rows, result.data.length))} rows.{' '}
      <Link to="/e/$name" params={{ name: endpoint }} search={values as never}>
        Show all rows
      </Link>
    </p>
  );
}

import type { QuestionRecord } from '../../api/questions.js';
import { ChangeableChart } from '../../parts/chart/changeable-chart.js';
import { formatNumber, formatTime } from '../../parts/format/format.js';
import { Message } from '../../parts/messages/message.js';
import { ResultTable } from '../../parts/table/result-table.js';
import styles from '../style/ask.module.css';

/** The rows of an answer as a chart and as a table, with their age and all notes about limits. */
export function AnswerResult({ record: { title, result, chart, errorType } }: { readonly record: QuestionRecord }) {
  if (result === null) return null;
  const { sentence, fields, rows, truncated, notices, sources, dataAsOf, stale } = result;
  return (
    <section className={styles.result} aria-label="Answer">
      {sentence !== undefined && <p className={styles.sentence}>{sentence}</p>}
      <p className={styles.soft}>
        {dataAsOf === null ? 'The age of the data is not known.' : `Data as of ${formatTime(dataAsOf)}.`}
      </p>
      {stale && dataAsOf !== null && (
        <Message tone="warning" title="Stale">
          <p>The data are older than this service allows. Newer events are missing.</p>
        </Message>
      )}
      {truncated && (
        <Message tone="warning" title="Truncated">
          <p>The query has more rows than the {formatNumber(rows.length)} rows of this answer.</p>
        </Message>
      )}
      {errorType === 'error-validate-chart' && (
        <Message tone="warning">
          <p>The chart of the language model does not fit the rows; another one is shown.</p>
        </Message>
      )}
      {notices.map((notice) => (
        <Message key={notice} tone="warning">
          <p>{notice}</p>
        </Message>
      ))}
      {rows.length > 0 && (
        <>
          <ChangeableChart {...{ title, fields, rows, sources, dataAsOf }} preferred={chart} isPart={truncated} />
          <ResultTable label="Rows of the answer" fields={fields} rows={rows} />
        </>
      )}
    </section>
  );
}

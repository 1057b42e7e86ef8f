import type { QuestionRecord } from '../../api/questions.js';
import { ResultChart } from '../../parts/chart/result-chart.js';
import { formatNumber, formatTime } from '../../parts/format/format.js';
import { ResultTable } from '../../parts/table/result-table.js';
import styles from '../style/ask.module.css';

/** The rows of an answer as a chart and as a table, with their age and everything that limits them. */
export function AnswerResult({ record: { result, chart, errorType } }: { readonly record: QuestionRecord }) {
  if (result === null) return null;
  const { fields, rows, truncated, notices, dataAsOf, stale } = result;
  return (
    <section className={styles.result} aria-label="Answer">
      <p className={styles.soft}>
        {dataAsOf === null ? 'The age of the data is not known.' : `Data as of ${formatTime(dataAsOf)}.`}
      </p>
      {stale && dataAsOf !== null && (
        <p className={styles.warning}>
          <strong>Stale:</strong> the data are older than this service allows. Newer events are missing.
        </p>
      )}
      {truncated && (
        <p className={styles.warning}>
          <strong>Truncated:</strong> the query has more rows than the {formatNumber(rows.length)} rows of this answer.
        </p>
      )}
      {errorType === 'error-validate-chart' && (
        <p className={styles.warning}>The chart of the language model does not fit the rows; another one is shown.</p>
      )}
      {notices.map((notice) => (
        <p key={notice} className={styles.warning}>
          {notice}
        </p>
      ))}
      {rows.length > 0 && (
        <>
          {chart !== null && chart.chartName !== 'Table' && <ResultChart chart={chart} fields={fields} rows={rows} />}
          <ResultTable label="Rows of the answer" fields={fields} rows={rows} />
        </>
      )}
    </section>
  );
}

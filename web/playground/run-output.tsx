import { AccessForm, isAccessError } from '../access/access-form.js';
import { type PlanAnswer, type PlaygroundResult, runSql } from '../api/playground.js';
import { ChangeableChart } from '../parts/chart/changeable-chart.js';
import { formatDuration, formatNumber } from '../parts/format/format.js';
import { Empty } from '../parts/messages/empty.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import { Message } from '../parts/messages/message.js';
import { ResultTable } from '../parts/table/result-table.js';
import type { SqlFault } from './editor/sql-faults.js';
import styles from './playground.module.css';
import type { RunState } from './use-run.js';

export interface RunOutputProps {
  readonly state: RunState;
  readonly faults: readonly SqlFault[];
  readonly onReveal: (fault: SqlFault) => void;
  readonly onRun: () => void;
}

/** What the last query returned: rows, a plan, or the reason why it failed. */
export function RunOutput({ state, faults, onReveal, onRun }: RunOutputProps) {
  return (
    <section className={styles.output} aria-label="Result" aria-live="polite" aria-busy={state.kind === 'running'}>
      {state.kind === 'idle' && <p className={styles.soft}>Run the query to see its rows.</p>}
      {state.kind === 'running' && (
        <Loading height={160} label={state.of === 'rows' ? 'The query is running' : 'The plan is loading'} />
      )}
      {state.kind === 'failed' &&
        (faults.length > 0 ? <Faults faults={faults} onReveal={onReveal} /> : <Failure state={state} onRun={onRun} />)}
      {state.kind === 'rows' && <Rows key={state.result.requestedAt} result={state.result} />}
      {state.kind === 'plan' && <Plan plan={state.plan} />}
    </section>
  );
}

interface FailureProps extends Pick<RunOutputProps, 'onRun'> {
  readonly state: Extract<RunState, { kind: 'failed' }>;
}

/** The error of a query, with a form for an API key if the service asks for a credential. */
function Failure({ state: { error, sql }, onRun }: FailureProps) {
  if (!isAccessError(error)) return <ErrorMessage error={error} />;
  return <AccessForm error={error} tryKey={(key) => runSql(sql, undefined, key)} onKept={onRun} />;
}

function Faults({ faults, onReveal }: Pick<RunOutputProps, 'faults' | 'onReveal'>) {
  return (
    <Message tone="danger" role="alert" title="The SQL cannot run">
      <ul className={styles.faults}>
        {faults.map((fault) => (
          <li key={`${fault.position} ${fault.reason}`}>
            {fault.line !== undefined && (
              <button type="button" className={styles.place} onClick={() => onReveal(fault)}>
                line {fault.line}, column {fault.column}
              </button>
            )}{' '}
            {fault.reason}
          </li>
        ))}
      </ul>
    </Message>
  );
}

function Rows({ result }: { readonly result: PlaygroundResult }) {
  const { fields, data, truncated, spent, notices } = result;
  return (
    <>
      <div className={styles.facts}>
        <span>
          {data.length === 1 ? '1 row' : `${formatNumber(data.length)} rows`} in {formatDuration(spent * 1000)}
        </span>
      </div>
      {truncated && (
        <Message tone="warning" title="Truncated">
          <p>
            {' '}
            the query has more rows. The playground returns the first {formatNumber(data.length)}; an endpoint can
            return more.
          </p>
        </Message>
      )}
      {notices.map((notice) => (
        <Message key={notice}>
          <p>{notice}</p>
        </Message>
      ))}
      {data.length === 0 ? (
        <Empty icon="table" title="The query has no rows">
          Its conditions exclude all rows of the tables.
        </Empty>
      ) : (
        <>
          <ChangeableChart title="Result" preferred={null} fields={fields} rows={data} isPart={truncated} />
          <ResultTable label="Rows of the query" fields={fields} rows={data} isSql />
        </>
      )}
    </>
  );
}

function Plan({ plan: { steps, estimatedRows, lane } }: { readonly plan: PlanAnswer }) {
  const names = [...new Set(steps.flatMap((step) => Object.keys(step)))];
  return (
    <>
      <h2>Plan</h2>
      <p className={styles.soft}>
        The database estimates that it reads and compares {formatNumber(estimatedRows)} rows:{' '}
        {lane === 'cheap' ? 'a cheap query.' : 'an expensive query. Read fewer rows, or a derived table (mv_…).'}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach an area that scrolls */}
      <section className={styles.plan} tabIndex={0} aria-label="Plan">
        <table>
          <thead>
            <tr>
              {names.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {steps.map((step, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a plan never move
              <tr key={index}>
                {names.map((name) => (
                  <td key={name}>{formatCell(step[name])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function formatCell(value: string | number | null | undefined): string {
  return typeof value === 'number' ? formatNumber(value) : (value ?? '');
}

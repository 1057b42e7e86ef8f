import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { MAX_SQL_LENGTH } from '../api/playground.js';
import { OWN_API } from '../app/own-api.js';
import { formatNumber } from '../parts/format/format.js';
import { Button } from '../parts/layout/button.js';
import { PageHeader } from '../parts/layout/page-header.js';
import { Loading } from '../parts/messages/loading.js';
import { DraftPanel } from './draft-panel.js';
import type { EditorHandle } from './editor/sql-editor.js';
import { faultsOf } from './editor/sql-faults.js';
import { useTables } from './editor/tables.js';
import { GenerateSql } from './generate-sql.js';
import { HistoryPanel } from './history-panel.js';
import styles from './playground.module.css';
import { RunOutput } from './run-output.js';
import { addToHistory, type PastQuery, readHistory } from './sql-history.js';
import { TablePanel } from './table-panel.js';
import { useRun } from './use-run.js';

const SqlEditor = lazy(() => import('./editor/sql-editor.js'));

/** The maximum length of SQL in the URL. */
const MAX_SHARED = 1_500;

const FIRST_SQL =
  OWN_API?.firstSql ??
  `SELECT primary_language, COUNT(*) AS repositories, SUM(stars) AS stars
FROM github_repos
WHERE primary_language <> ''
GROUP BY primary_language
ORDER BY stars DESC, primary_language
LIMIT 20`;

/** SQL over the public tables: an editor with completion, the result, the plan, and a definition file for the query. */
export function PlaygroundPage() {
  const page = usePlayground();
  const { tables, editor, run, text, history } = page;
  const hintId = useId();
  const faults = useMemo(
    () => (run.state.kind === 'failed' ? faultsOf(run.state.error, run.state.sql) : []),
    [run.state],
  );
  const { current: initialText } = page.initial;
  return (
    <article className={styles.page}>
      <PageHeader
        title="Playground"
        description="One SELECT over the public tables, in the SQL of MySQL. At most 100 rows and 10 seconds."
      />
      <div className={styles.columns}>
        <div className={styles.main}>
          <div className={styles.editorBox}>
            <Suspense fallback={<Loading height={260} label="Loading the editor" />}>
              <SqlEditor
                ref={editor}
                initialText={initialText}
                faults={faults}
                tables={page.knownTables}
                onRun={page.runText}
                onChange={page.setText}
                hintId={hintId}
              />
            </Suspense>
          </div>
          <Toolbar page={page} hintId={hintId} />
          <RunOutput
            state={run.state}
            faults={faults}
            onReveal={(fault) => editor.current?.reveal(fault)}
            onRun={page.runText}
          />
          {OWN_API === undefined && <DraftPanel sql={text} />}
          {OWN_API === undefined && <GenerateSql onSql={page.replace} />}
          <HistoryPanel queries={history} onChange={page.setHistory} onChoose={page.replace} />
        </div>
        <TablePanel
          tables={tables.tables}
          error={tables.error}
          onRetry={() => void tables.refetch()}
          onInsert={(name) => editor.current?.insert(name)}
          onExample={page.replace}
        />
      </div>
    </article>
  );
}

function Toolbar({ page, hintId }: { readonly page: ReturnType<typeof usePlayground>; readonly hintId: string }) {
  const { run, text } = page;
  const isRunning = run.state.kind === 'running';
  const isTooLong = text.length > MAX_SQL_LENGTH;
  const canRun = text.trim() !== '' && !isTooLong;
  return (
    <div className={styles.toolbar}>
      <Button variant="primary" icon="play" onClick={page.runText} disabled={!canRun}>
        Run
      </Button>
      {OWN_API === undefined && (
        <button type="button" onClick={() => void run.start(text, 'plan')} disabled={!canRun}>
          Show the plan
        </button>
      )}
      {isRunning && (
        <button type="button" onClick={run.stop}>
          Stop
        </button>
      )}
      <p id={hintId} className={styles.hint}>
        <kbd>Ctrl</kbd> or <kbd>⌘</kbd> + <kbd>Enter</kbd> runs the SQL. <kbd>Tab</kbd> leaves the editor.
      </p>
      {isTooLong && (
        <p role="alert" className={styles.tooLong}>
          {formatNumber(text.length)} characters; at most {formatNumber(MAX_SQL_LENGTH)} are allowed.
        </p>
      )}
    </div>
  );
}

/** The state of the page. Functions for the editor stay the same between renders. */
function usePlayground() {
  const { _sql: shared } = useSearch({ from: '/playground' });
  const navigate = useNavigate({ from: '/playground' });
  const tables = useTables();
  const run = useRun();
  const editor = useRef<EditorHandle>(null);
  const initial = useRef(shared ?? FIRST_SQL);
  const [text, setText] = useState(initial.current);
  const [history, setHistory] = useState<readonly PastQuery[]>(readHistory);
  const latest = useRef({ text, tables: tables.tables });
  latest.current = { text, tables: tables.tables };
  const { start } = run;
  const runText = useCallback(() => {
    const sql = latest.current.text;
    if (sql.trim() === '' || sql.length > MAX_SQL_LENGTH) return;
    void navigate({ search: { _sql: sql.length <= MAX_SHARED ? sql : '' }, replace: true });
    void start(sql, 'rows').then(({ kind }) => {
      if (kind === 'rows') setHistory(addToHistory(sql, new Date()));
    });
  }, [navigate, start]);
  const knownTables = useCallback(() => latest.current.tables ?? [], []);
  // The SQL of a link runs when the page opens, so that the reader sees the same result as the author.
  const isShared = useRef(shared !== undefined);
  useEffect(() => {
    if (!isShared.current) return;
    isShared.current = false;
    void start(initial.current, 'rows');
  }, [start]);
  const replace = useCallback((sql: string) => editor.current?.replace(sql), []);
  return { tables, run, editor, initial, text, setText, history, setHistory, runText, knownTables, replace };
}

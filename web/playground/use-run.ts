import { useCallback, useRef, useState } from 'react';
import { type PlanAnswer, type PlaygroundResult, planSql, runSql } from '../api/playground.js';

/** The state of the area below the editor. `sql` is the text that was sent. */
export type RunState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly sql: string; readonly of: 'rows' | 'plan' }
  | { readonly kind: 'rows'; readonly sql: string; readonly result: PlaygroundResult }
  | { readonly kind: 'plan'; readonly sql: string; readonly plan: PlanAnswer }
  | { readonly kind: 'failed'; readonly sql: string; readonly error: unknown };

const IDLE: RunState = { kind: 'idle' };

/** Runs one query at a time. A new query cancels the previous one. */
export function useRun() {
  const [state, setState] = useState<RunState>(IDLE);
  const current = useRef<AbortController>(null);
  const start = useCallback(async (sql: string, of: 'rows' | 'plan') => {
    current.current?.abort();
    const controller = new AbortController();
    current.current = controller;
    const { signal } = controller;
    setState({ kind: 'running', sql, of });
    const ended: RunState = await (of === 'rows'
      ? runSql(sql, signal).then((result) => ({ kind: 'rows', sql, result }) as const)
      : planSql(sql, signal).then((plan) => ({ kind: 'plan', sql, plan }) as const)
    ).catch((error: unknown) => ({ kind: 'failed', sql, error }) as const);
    if (!signal.aborted) setState(ended);
    return ended;
  }, []);
  const stop = useCallback(() => {
    current.current?.abort();
    setState(IDLE);
  }, []);
  return { state, start, stop };
}

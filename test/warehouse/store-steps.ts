import { once } from 'node:events';
import type { Store, Tables } from '../../warehouse/store/store.js';

/** Steps at which tests interrupt an import. Calls of methods of `Tables`, such as `merge mv_repo_stars`, are also steps. */
export const IMPORT_STEPS = {
  batchRead: 'append github_events',
  betweenDerivedTables: 'merge mv_repo_people',
  beforeLedger: 'insertRows import_files',
  beforeCommit: 'before the commit',
  afterCommit: 'after the commit',
} as const;

/** Wraps a store. `reach` is awaited before each step of a transaction, and after the commit of an import. */
export function watchSteps<S extends Store>(store: S, reach: (step: string) => Promise<void>): S {
  const define: Store['define'] = async (statements, work) => {
    let isImport = false;
    const step = async (name: string) => {
      isImport ||= name === IMPORT_STEPS.beforeLedger;
      await reach(name);
    };
    const result = await store.define(statements, async (tables) => {
      const result = await work(watchTables(tables, step));
      if (isImport) await reach(IMPORT_STEPS.beforeCommit);
      return result;
    });
    if (isImport) await reach(IMPORT_STEPS.afterCommit);
    return result;
  };
  return replaceMethods(store, { define, write: (work) => define([], work) });
}

/** Returns a copy of a store in which some methods are replaced. */
export function replaceMethods<S extends Store>(store: S, methods: Partial<Store>): S {
  return new Proxy(store, { get: (target, name) => Reflect.get(methods, name) ?? boundTo(target, name) });
}

function watchTables(tables: Tables, reach: (step: string) => Promise<void>): Tables {
  return new Proxy(tables, {
    get: (target, name) => {
      const method = boundTo(target, name);
      if (typeof method !== 'function') return method;
      return async (first: string | { readonly name: string }, ...rest: unknown[]) => {
        await reach(`${String(name)} ${typeof first === 'string' ? first : first.name}`);
        return method(first, ...rest);
      };
    },
  });
}

function boundTo(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === 'function' ? value.bind(target) : value;
}

/** The occurrence of a step, counted from 1, at which a child process halts. With `''`, it runs to its end. */
export interface KillAt {
  readonly step: string;
  readonly time?: number;
}

/** The line that a child process prints when it has reached its step. The child continues after it has read a line from standard input. */
export const REACHED = 'reached';

/** For child processes: returns `reach` for `watchSteps`, from the command line arguments. */
export function haltAt(step: string, time: string): (step: string) => Promise<void> {
  let times = 0;
  return async (reached) => {
    if (reached !== step || ++times !== Number(time)) return;
    console.log(REACHED);
    await once(process.stdin, 'data');
    process.stdin.destroy();
  };
}

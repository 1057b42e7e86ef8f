import { IGNORED_FIELDS, isFields, isQuery, type Node } from '../reading/tree.js';
import type { SelectScope } from './select-scope.js';

/** The nodes in the expressions of a SELECT, except those in its subqueries and in FROM, but with those of ON. */
export class ScopeNodes {
  readonly #byKind = new Map<string, Node[]>();
  readonly #windows = new Set<unknown>();

  constructor({ node, sources }: SelectScope) {
    const { from: _, joins: __, with: ___, ...clauses } = node.fields;
    this.#add(clauses);
    for (const { on } of sources) this.#add(on);
    for (const { fields } of this.of('window_function')) {
      if (isFields(fields.this)) for (const called of Object.values(fields.this)) this.#windows.add(called);
    }
  }

  /** Returns the nodes of these kinds. */
  of(...kinds: readonly string[]): Node[] {
    return kinds.flatMap((kind) => this.#byKind.get(kind) ?? []);
  }

  /** Returns the aggregates of these kinds, except those with OVER. */
  aggregates(...kinds: readonly string[]): Node[] {
    return this.of(...kinds).filter(({ fields }) => !this.#windows.has(fields));
  }

  /** Adds every object under its key. Some keys are fields and not kinds of nodes, but have no node with the same name. */
  #add(tree: unknown): void {
    if (Array.isArray(tree)) for (const item of tree) this.#add(item);
    if (!isFields(tree)) return;
    for (const [kind, fields] of Object.entries(tree)) {
      if (isQuery(kind) || IGNORED_FIELDS.has(kind) || typeof fields !== 'object') continue;
      if (isFields(fields)) {
        const known = this.#byKind.get(kind);
        if (known === undefined) this.#byKind.set(kind, [{ kind, fields }]);
        else known.push({ kind, fields });
      }
      this.#add(fields);
    }
  }
}

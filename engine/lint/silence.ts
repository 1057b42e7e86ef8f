import type { Endpoint } from '../endpoint/endpoint.js';
import type { Warning } from './warning.js';

/**
 * Removes the warnings that a definition silences, and adds a warning for each entry of `lint` that silences nothing.
 * An entry for `full-scan` is always accepted, because this rule depends on the data.
 */
export function applySilences({ definition, problem }: Endpoint, warnings: readonly Warning[]): Warning[] {
  const { lint } = definition;
  const unused = Object.keys(lint).filter(
    (name) => name !== 'full-scan' && warnings.every(({ rule }) => rule !== name),
  );
  return [
    ...warnings.filter(({ rule }) => !Object.hasOwn(lint, rule)),
    ...unused.map(
      (name): Warning => ({
        ...problem(['lint', name], 'The definition has no warning of this rule', { at: 'key' }),
        rule: 'unused-lint',
        fix: 'remove the entry',
      }),
    ),
  ];
}

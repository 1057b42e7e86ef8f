import { didYouMean } from '../../../sql/did-you-mean.js';
import type { EndpointDefinition } from '../../definition/definition.js';
import type { DefinitionSource } from '../../definition/definition-source.js';
import type { Problem } from '../../definition/problem.js';
import { SILENCEABLE_RULES } from '../../lint/rules.js';

/** Checks that the key `lint` names rules of warnings. */
export function checkLint(source: DefinitionSource, { lint }: EndpointDefinition): Problem[] {
  const unknown = Object.keys(lint).filter((name) => !SILENCEABLE_RULES.includes(name));
  return unknown.map((name) => {
    const hint = didYouMean(name, SILENCEABLE_RULES);
    const facts = hint === '' ? { expected: `one of ${SILENCEABLE_RULES.join(', ')}` } : {};
    return source.problem(['lint', name], `unknown rule "${name}"${hint}`, { at: 'key', ...facts });
  });
}

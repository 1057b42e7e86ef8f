import type { ParameterDefinition } from '../../engine/index.js';
import type { ConsoleParameter } from './answers.js';

/**
 * Returns the original description of a parameter, and separately the rule that its value must not be later than that of another parameter.
 * In API descriptions, the rule is part of the text. Here it is separate, so that a form can check it.
 */
export function writtenRules(
  name: string,
  parameters: Readonly<Record<string, ParameterDefinition>>,
): Partial<Pick<ConsoleParameter, 'description' | 'notAfter'>> {
  const { description, notAfter } = parameters[name] ?? {};
  return {
    ...(description !== undefined && { description }),
    ...(notAfter !== undefined && { notAfter }),
  };
}

import type { ParameterDefinition } from '../../engine/index.js';
import type { ConsoleParameter } from './answers.js';

/**
 * Returns the description of a parameter as its author wrote it, and the order of two parameters as a fact. API descriptions append
 * such rules to the text, but a form checks them and reports them at the field.
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

import type { Ask, CommandContext } from '../../../terminal/command-context.js';
import type { NewOptions } from './new.js';

export async function askForDefinition(_context: CommandContext, _ask: Ask, options: NewOptions): Promise<NewOptions> {
  return options;
}

import type { Settings } from '../server/settings/settings.js';
import type { Warehouse } from '../server/warehouse.js';
import type { Output } from './output.js';

/** What every command gets: it neither opens the database by itself nor ends the process. */
export interface CommandContext {
  readonly output: Output;
  readonly settings: Settings;
  /** The variables that the settings were read from. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where relative paths of the caller start. */
  readonly cwd: string;
  /** Aborted by Ctrl-C or when the caller goes away. */
  readonly signal: AbortSignal;
  /** The warehouse, opened at the first call; whoever made the context closes it. Throws when there is none yet. */
  warehouse(): Promise<Warehouse>;
  /** The same, made with empty tables when there is none yet. Notices go to `onNotice`; without one, to the output. */
  newWarehouse(onNotice?: (message: string) => void): Promise<Warehouse>;
  /** Runs another command line over a context and resolves to its exit code. */
  run(words: readonly string[], context: CommandContext): Promise<number>;
  /** 0: all is well. 1: the command ran and found something wrong. 2: it could not run. */
  exitCode: 0 | 1 | 2;
}

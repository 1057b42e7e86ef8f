import type { Service } from '../../server/service.js';
import type { Settings } from '../../server/settings/settings.js';
import type { Warehouse } from '../../server/warehouse.js';
import type { Output } from './output.js';

/** The inputs of every command. A command opens the database only through its context and never ends the process. */
export interface CommandContext {
  readonly output: Output;
  readonly settings: Settings;
  /** The variables from which the settings were read. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder at which relative paths of the caller start. */
  readonly cwd: string;
  /** Aborted by Ctrl-C or when the caller disconnects. */
  readonly signal: AbortSignal;
  /**
   * Returns the warehouse. The first call opens it; the owner of the context closes it. Throws if the warehouse does
   * not exist.
   */
  warehouse(): Promise<Warehouse>;
  /**
   * Returns the warehouse like `warehouse`, but creates it with empty tables if it does not exist. Notices go to
   * `onNotice`, by default to the output.
   */
  newWarehouse(onNotice?: (message: string) => void): Promise<Warehouse>;
  /** The service of this process, if it runs the command. */
  readonly service: Pick<Service, 'definitions'> | undefined;
  /** Runs a command in each running service with these settings, and returns their exit codes. */
  askServices(words: readonly string[]): Promise<readonly number[]>;
  /** Calls the listener for each SIGHUP that does not stop the process. */
  onHangUp(listener: () => void): void;
  /** Runs another command line over a context and resolves to its exit code. */
  run(words: readonly string[], context: CommandContext): Promise<number>;
  /** 0: success. 1: the command completed and found problems. 2: it could not run. */
  exitCode: 0 | 1 | 2;
}

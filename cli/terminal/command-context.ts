import type { DemoOptions } from '../../demo/demo-plan.js';
import type { OpenDatabase } from '../../server/databases/warehouse.js';
import type { Service } from '../../server/service.js';
import type { Settings } from '../../server/settings/settings.js';
import type { Output } from './output.js';

/** Asks one question. Rejects if the input has ended. `proposal` is the default answer. */
export type Ask = (question: string, proposal: string) => Promise<string>;

export interface ForwardedCommand {
  words: readonly string[];
  /** The text of the standard input, if the command has read it. */
  input?: string;
  /** Whether the command runs until the user stops it, so that a stop counts as success. */
  isEndless?: boolean;
}

/** The functions with which a service uses its process, in addition to the abort signal. */
export interface ServiceProcess {
  /** Whether the process is one of several workers. */
  readonly isWorker: boolean;
  /** Calls the listener on each SIGHUP that does not stop the process. */
  onHangUp(listener: () => void): void;
  /** Calls the listener on each signal that requests a rolling restart. */
  onRestart(listener: () => void): void;
  /** Calls the listener when the process exits for any reason. */
  onExit(listener: () => void): void;
}

/** The value for commands other than `serve`. */
export const NO_SERVICE_PROCESS: ServiceProcess = {
  isWorker: false,
  onHangUp: () => undefined,
  onRestart: () => undefined,
  onExit: () => undefined,
};

/** The exit code and the standard output of a command that ran in a process of a service. */
export interface ServiceReply {
  readonly code: number;
  readonly out: string;
}

/** The inputs of every command. A command must open the database only through its context, and must never end the process. */
export interface CommandContext {
  readonly output: Output;
  readonly settings: Settings;
  /** The environment variables from which the settings were read. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The working directory of the caller, to which relative paths refer. */
  readonly cwd: string;
  /** Aborts on Ctrl-C or when the caller disconnects. */
  readonly signal: AbortSignal;
  /**
   * Returns the open database. The first call opens the warehouse; the owner of the context closes it. Throws if the database does not exist.
   * `onNotice` is called with notices; by default they are printed.
   */
  warehouse(onNotice?: (message: string) => void): Promise<OpenDatabase>;
  /** Returns the warehouse like `warehouse`, but creates it with empty tables if it does not exist. */
  newWarehouse(onNotice?: (message: string) => void): Promise<OpenDatabase>;
  /** Reads the standard input of the caller to its end. */
  input(): Promise<string>;
  /** Asks the user on a terminal; undefined if there is no user to answer. If the user only presses Enter, the proposal is the answer. */
  readonly ask: Ask | undefined;
  /**
   * The command that the service runs if it has the database open. By default it is the same command line. A command that asks questions
   * replaces it by one with the answers, because the service cannot ask the user.
   */
  readonly elsewhere: ForwardedCommand;
  /** The service of this process, if the command runs in a service. */
  readonly service: Pick<Service, 'definitions' | 'follower' | 'keys' | 'url'> | undefined;
  /** Runs a command in each running process of a service with these settings. */
  askServices(words: readonly string[]): Promise<readonly ServiceReply[]>;
  readonly process: ServiceProcess;
  /** The size of the demo data that `serve` generates on its first start, if it is not the default. */
  readonly firstDemo?: Pick<DemoOptions, 'events' | 'repositories' | 'people'> | undefined;
  /** Runs another command line over a context and resolves to its exit code. */
  run(words: readonly string[], context: CommandContext): Promise<number>;
  /** 0: success. 1: the command completed and found problems. 2: it could not run. */
  exitCode: 0 | 1 | 2;
}

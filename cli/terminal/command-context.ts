import type { DemoOptions } from '../../demo/demo-plan.js';
import type { Service } from '../../server/service.js';
import type { Settings } from '../../server/settings/settings.js';
import type { Warehouse } from '../../server/warehouse.js';
import type { Output } from './output.js';

/** Asks one question. Rejects if the input has ended. */
export type Ask = (question: string, proposal: string) => Promise<string>;

export interface ForwardedCommand {
  words: readonly string[];
  /** The text of the standard input, if the command has read it. */
  input?: string;
  /** Whether the command works until the user stops it, so that its stop is a success. */
  isEndless?: boolean;
}

/** What a service gets from its process, in addition to the signal to stop. */
export interface ServiceProcess {
  /** Whether the process is one of several workers. */
  readonly isWorker: boolean;
  /** Calls the listener for each SIGHUP that does not stop the process. */
  onHangUp(listener: () => void): void;
  /** Calls the listener for each signal that requests a rolling restart. */
  onRestart(listener: () => void): void;
  /** Calls the listener when the process ends for any reason. */
  onExit(listener: () => void): void;
}

/** For commands other than `serve`. */
export const NO_SERVICE_PROCESS: ServiceProcess = {
  isWorker: false,
  onHangUp: () => undefined,
  onRestart: () => undefined,
  onExit: () => undefined,
};

/** The exit code and the standard output of a command in a process of a service. */
export interface ServiceReply {
  readonly code: number;
  readonly out: string;
}

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
   * not exist. Notices go to `onNotice`, by default to the output.
   */
  warehouse(onNotice?: (message: string) => void): Promise<Warehouse>;
  /** Returns the warehouse like `warehouse`, but creates it with empty tables if it does not exist. */
  newWarehouse(onNotice?: (message: string) => void): Promise<Warehouse>;
  /** Reads the standard input of the caller to its end. */
  input(): Promise<string>;
  /** Asks the user on a terminal; undefined if no user can answer. The proposal is the answer if the user only confirms. */
  readonly ask: Ask | undefined;
  /**
   * What the server that has the database open runs instead of this command. By default it runs the same words. A command that has
   * asked questions replaces them by the answers, because the server cannot ask.
   */
  readonly elsewhere: ForwardedCommand;
  /** The service of this process, if it runs the command. */
  readonly service: Pick<Service, 'definitions' | 'follower' | 'url'> | undefined;
  /** Runs a command in each running process of a service with these settings. */
  askServices(words: readonly string[]): Promise<readonly ServiceReply[]>;
  readonly process: ServiceProcess;
  /** The size of the demo data that `serve` generates at its first start, if it is not the default. */
  readonly firstDemo?: Pick<DemoOptions, 'events' | 'repositories' | 'people'> | undefined;
  /** Runs another command line over a context and resolves to its exit code. */
  run(words: readonly string[], context: CommandContext): Promise<number>;
  /** 0: success. 1: the command completed and found problems. 2: it could not run. */
  exitCode: 0 | 1 | 2;
}

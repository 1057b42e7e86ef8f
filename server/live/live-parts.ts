import type { Logger } from 'pino';
import type { DefinitionLoader, Engine } from '../../engine/index.js';
import type { Canaries, CanaryCounts } from './canaries.js';
import type { LivePages } from './live-pages.js';

export interface LiveParts {
  readonly folders: readonly string[];
  readonly engine: Engine;
  readonly loader: DefinitionLoader;
  readonly canaries: Canaries;
  readonly pages: LivePages;
  readonly logger: Logger;
  readonly clock: () => Date;
}

export interface ReloadOptions {
  /** The share in percent of the requests that changed definitions answer. Without it, they answer all requests. */
  readonly canaryPercent?: number | undefined;
  /** Names whose candidates answer all requests from now on. */
  readonly promoted?: readonly string[];
  /** Names whose candidates answer no requests from now on. */
  readonly discarded?: readonly string[];
}

/** A canary with what it did so far. */
export interface CanaryState extends CanaryCounts {
  readonly name: string;
  readonly file: string;
  readonly percent: number;
}

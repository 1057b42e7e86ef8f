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
  /** The percentage of requests that the changed definitions answer. Without a percentage, they answer all requests. */
  readonly canaryPercent?: number | undefined;
  /** The names whose candidates become the stable versions. */
  readonly promoted?: readonly string[];
  /** The names whose candidates are dropped. */
  readonly discarded?: readonly string[];
}

/** A canary with its counts. */
export interface CanaryState extends CanaryCounts {
  readonly name: string;
  readonly file: string;
  readonly percent: number;
}

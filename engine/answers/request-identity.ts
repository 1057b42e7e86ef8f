import type { ParameterValues } from '../definitions/parameters/parameter-values.js';

/** What an answer depends on besides the data. Requests with equal keys have equal answers if the tables have equal versions. */
export interface RequestIdentity {
  /** The typed parameters, with defaults. */
  readonly parameters: ParameterValues;
  /** A hash of the definition, the parameters, the part of the clock that the queries use, and the settings of the engine. */
  readonly key: string;
  /**
   * The moment at which the part of the clock ends that the queries use, in milliseconds since 1970: the next hour or the
   * next day in UTC. Infinity if they do not use the clock.
   */
  readonly validUntil: number;
}

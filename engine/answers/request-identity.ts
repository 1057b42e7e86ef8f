import type { ParameterValues } from '../definitions/parameters/parameter-values.js';

/** Everything except the data that determines an answer. Requests with equal keys have equal answers for equal table versions. */
export interface RequestIdentity {
  /** The typed parameters, with defaults. */
  readonly parameters: ParameterValues;
  /** A hash of the definition, the parameters, the time rounded down to the unit that the queries use, and the settings of the engine. */
  readonly key: string;
  /**
   * The time until which the key is valid, in milliseconds since 1970: the start of the next second, hour or day in
   * UTC, by the unit of time that the queries use. Infinity if the queries do not use the clock.
   */
  readonly validUntil: number;
}

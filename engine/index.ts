export type { Answer, Plan } from './answer.js';
export { nativeWriter, roundDecimal, textWriter } from './cells.js';
export type { CompiledQuery, QueryText } from './compiled-query.js';
export {
  type BoundValue,
  type Cell,
  type Database,
  type PreparedQuery,
  type QueryOptions,
  type ResultColumn,
  type ResultSet,
  UntranslatableSqlError,
} from './database.js';
export {
  type ColumnDefinition,
  DATA_TYPES,
  type DataType,
  type EndpointDefinition,
  type ExampleDefinition,
  type ItemDefinition,
  type NoticeDefinition,
  type ParameterDefinition,
  type ParameterValue,
} from './definition.js';
export { endpointSchema } from './definition-shape.js';
export { type Endpoint, type EndpointQuery, sqlTime } from './endpoint.js';
export { createEngine, type Engine, type EngineParts, type RunOptions } from './engine.js';
export { type Envelope, type EnvelopeResult, errorEnvelope, type TellableError, toEnvelope } from './envelope.js';
export { EngineError, ERROR_CODES, type ErrorCode, type ParameterError } from './errors.js';
export type { EngineEvent, Observe } from './events.js';
export { type LoadedEndpoints, loadEndpointFiles, loadEndpoints, routeShape } from './load-endpoints.js';
export { expectedOf, isCalendarDay, jsonSchema } from './parameter-schema.js';
export { type ParameterValues, type RawParameters, rawFromValues } from './parameter-values.js';
export { UnpreparableEndpointsError } from './prepared-queries.js';
export { formatProblem, type Problem } from './problem.js';
export { type QueryEnvelope, toPlanEnvelope, toQueryEnvelope } from './query-envelope.js';
export type { NativeRow, TextRow } from './row-writer.js';
export { type Check, type Verification, type VerifyOptions, verifyEndpoint } from './verify/verify-endpoint.js';

export type { Answer, Plan } from './answer/answer.js';
export { nativeCellSchema, textCellSchema } from './answer/cell-schema.js';
export {
  type Envelope,
  type EnvelopeResult,
  errorEnvelope,
  type TellableError,
  toEnvelope,
} from './answer/envelope.js';
export {
  type NamedQueryEnvelope,
  type PlainResult,
  type QueryEnvelope,
  toPlanEnvelope,
  toQueryEnvelope,
  toResultEnvelope,
} from './answer/query-envelope.js';
export { type NativeRow, type TextRow, writeTextRows } from './answer/row-writer.js';
export { type BrokenEndpoint, endpointBroken, formatProblems } from './broken-endpoint.js';
export {
  type BoundValue,
  type Cell,
  type Database,
  type Dialect,
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
} from './definition/definition.js';
export { endpointSchema } from './definition/definition-shape.js';
export { definitionText } from './definition/definition-text.js';
export { type LoadedEndpoints, loadEndpointFiles, loadEndpoints } from './definition/load-endpoints.js';
export { distinctProblems, formatProblem, type Problem } from './definition/problem.js';
export { type Endpoint, type EndpointQuery, sqlTime } from './endpoint.js';
export { createEngine, type Engine, type EngineParts, type RunOptions } from './engine.js';
export { EngineError, ERROR_CODES, type ErrorCode, type ParameterError } from './errors.js';
export type { EngineEvent, Observe } from './events.js';
export { type LookedUp, type LookUpOptions, MAX_LOOKED_UP } from './look-up.js';
export { jsonSchema } from './parameters/parameter-schema.js';
export {
  createParameterReader,
  type ParameterValues,
  type RawParameters,
  rawFromValues,
} from './parameters/parameter-values.js';
export type { CompiledQuery, QueryText } from './sql/compiled-query.js';
export { prepareAll, rememberPrepared } from './sql/prepared-queries.js';
export type { PrivateData } from './sql/private-data.js';
export {
  type AnswerDifference,
  type CompareOptions,
  type Comparison,
  compareEndpoint,
} from './verify/compare-endpoint.js';
export { givenValues } from './verify/given-values.js';
export { type RowDifference, rowDifference } from './verify/row-difference.js';
export {
  type Check,
  type Verification,
  type VerifyOptions,
  verificationOfBroken,
  verifyEndpoint,
} from './verify/verify-endpoint.js';

/** What programs import from the package. */

export type { JsonValue } from '../answers/cells/cells.js';
export type { BoundValue, Cell, Database, ResultSet } from '../databases/interface/database.js';
export { EngineError, type ErrorCode, type ParameterError } from '../databases/interface/errors.js';
export type { ParameterDefinition, ParameterValue } from '../definitions/definition.js';
export type { Endpoint } from '../definitions/endpoint/endpoint.js';
export { DefinitionsError, type Problem } from '../definitions/problem.js';
export type { DefinitionListener } from '../http/definitions/answer-definitions.js';
export type { NamedQueryEnvelope } from '../http/envelopes/query-envelope.js';
export { createEngine, type EmbeddedEngine, type EmbeddedEngineOptions } from './embedded-engine.js';
export { openDatabase } from './open-database.js';

export type { Answer, Plan } from './answers/answer.js';
export {
  createJsonWriter,
  createNativeRowProperties,
  createNativeWriter,
  createTextCellSchema,
  createTextWriter,
  isNumeric,
  type JsonValue,
  type NativeRow,
  roundDecimal,
  type TextRow,
  toNativeValue,
  writeNativeRows,
  writeTextRows,
} from './answers/cells/cells.js';
export { type ResultRows, writeResultRows } from './answers/cells/result-rows.js';
export {
  findResultDifference,
  listRowDifferences,
  type RowDifference,
} from './answers/cells/row-difference.js';
export type { ChoiceFailure, ChoiceRefresh } from './answers/choice-values.js';
export { createEngine } from './answers/database-engine.js';
export type { ComputedAnswer, Engine, EngineParts } from './answers/engine.js';
export { type CurrentDefinitions, derive } from './answers/live/derive.js';
export { nextCanaries } from './answers/live/next-canaries.js';
export {
  type LiveState,
  nextDefinitions,
  type OutdatedEndpoint,
  rejectEndpoint,
} from './answers/live/next-definitions.js';
export { MAX_LOOKED_UP_TEXTS } from './answers/prepare/look-up.js';
export { nameHint, rejectionReason } from './answers/prepare/name-hint.js';
export { createPreparedTexts, type PreparedTexts, prepareEndpoints } from './answers/prepare/prepared-queries.js';
export type { EndedQuery, EngineEvent, QueryLoad } from './answers/queries/events.js';
export { FairQueue, Slots } from './answers/queries/query-runner.js';
export type { RequestIdentity } from './answers/read-answer.js';
export { PATIENT_METADATA_TIMEOUT_MS } from './answers/request-metadata.js';
export type { RunOptions } from './answers/request-runner.js';
export {
  inOrderOfReading,
  isDue,
  type MaterializedEndpoint,
  type Refresh,
  type RefreshParts,
  refreshRollup,
} from './answers/rollups/refresh-rollup.js';
export type { Definitions, EndpointTrial } from './answers/served-definitions.js';
export type { AnswerReceiver, StreamedAnswer, StreamStart } from './answers/stream-rows.js';
export {
  type Catalogue,
  type CatalogueTable,
  NO_TABLE_FACTS,
  readCatalogue,
  requireEffectiveFilters,
  tableFactsOf,
} from './databases/catalogue.js';
export type { DataSource } from './databases/interface/data-source.js';
export { DATA_TYPES, type DataType } from './databases/interface/data-types.js';
export {
  type DataVersion,
  type DataVersions,
  NO_VERSIONS,
  type VersionState,
} from './databases/interface/data-versions.js';
export type {
  BoundValue,
  Cell,
  Database,
  DescribedColumn,
  Dialect,
  ExplainOptions,
  PreparedQuery,
  QueryOptions,
  ResultColumn,
  ResultSet,
  RowReceiver,
  StreamOptions,
} from './databases/interface/database.js';
export {
  Deadline,
  limitSignal,
  type QueryLimits,
  type TimeLimit,
  withDeadline,
} from './databases/interface/deadline.js';
export {
  cancelledError,
  EngineError,
  type ErrorCode,
  type ParameterError,
  stoppedError,
  timeoutError,
} from './databases/interface/errors.js';
export {
  ROLLUP_STATE,
  RollupError,
  type RollupState,
  type RollupStore,
  rollupVersions,
} from './databases/interface/rollups.js';
export { singleFlight } from './databases/interface/single-flight.js';
export { withoutCaller } from './definitions/access/caller-values.js';
export {
  hasAccess,
  type ProtectedDefinition,
  requireAccess,
  withoutPublic,
} from './definitions/access/require-access.js';
export {
  createRowFilters,
  type RowFilters,
  restrictRows,
  type UnfilteredSql,
} from './definitions/access/row-filters.js';
export { columnField, columnFields } from './definitions/column-fields.js';
export type {
  ColumnDefinition,
  EndpointDefinition,
  ItemDefinition,
  ParameterDefinition,
  ParameterValue,
} from './definitions/definition.js';
export type { DefinitionScope, Environment } from './definitions/definition-scope.js';
export { checkShape, DEFAULT_PREFIXES, endpointSchema } from './definitions/definition-shape.js';
export {
  type DefinitionPath,
  type DefinitionSource,
  describeValue,
  isMapping,
  parseDocument,
} from './definitions/definition-source.js';
export { type BrokenEndpoint, brokenEndpointError, formatProblems } from './definitions/endpoint/broken-endpoint.js';
export type { Canary } from './definitions/endpoint/canary.js';
export {
  type CacheRule,
  canRead,
  type Endpoint,
  type EndpointQuery,
  type Rollup,
} from './definitions/endpoint/endpoint.js';
export { rollupTableOf } from './definitions/endpoint/rollup.js';
export { unknownEndpointError } from './definitions/endpoint/unknown-endpoint.js';
export { deduplicateWarnings, formatWarning, RULES, type Warning } from './definitions/lint/warning.js';
export { findDefinitionFiles, isDefinitionFile, type StoredFiles } from './definitions/load/definition-files.js';
export { DefinitionLoader, type LoadedEndpoints } from './definitions/load/definition-loader.js';
export { checkChartColumns } from './definitions/load/endpoint-check.js';
export { routeShape } from './definitions/load/find-repeats.js';
export { loadEndpointFiles, loadEndpoints } from './definitions/load/load-endpoints.js';
export { findCacheNotes, findCursorNotes, findRouteNotes, findTableNotes } from './definitions/load/notes.js';
export { checkParameters, checkValue } from './definitions/load/parameter-check.js';
export { normalizeParameter } from './definitions/normalize-definition.js';
export {
  createParameterReader,
  createParameterSchema,
  DEFAULT_MAX_LENGTH,
  expectedOf,
  IMPLICIT_PATTERNS,
  type ParameterValues,
  type RawParameters,
  rawFromValues,
  validatorOf,
} from './definitions/parameters/parameter-values.js';
export {
  type ClaimDefinition,
  type ClaimDefinitions,
  isClaimValue,
  isIdentifying,
  type Principal,
} from './definitions/principal.js';
export {
  DefinitionsError,
  deduplicateProblems,
  fileProblem,
  formatPlace,
  formatProblem,
  type Problem,
} from './definitions/problem.js';
export type { CompiledQuery } from './definitions/query/compiled-query.js';
export { sqlTime } from './definitions/query/compiled-query.js';
export { expectedBySchema } from './definitions/schema-expectation.js';
export { placeOf, positionOf } from './definitions/yaml-places.js';
export type { TableFacts } from './sql/analysis/table-facts.js';
export { didYouMean } from './sql/did-you-mean.js';
export { readOutline } from './sql/outline/query-outline.js';
export { quoteName } from './sql/reading/lexemes.js';
export type { PrivateData } from './sql/reading/private-data.js';

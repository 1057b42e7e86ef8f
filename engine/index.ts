export type { TableFacts } from '../sql/analysis/table-facts.js';
export { didYouMean } from '../sql/did-you-mean.js';
export { readOutline } from '../sql/outline/query-outline.js';
export type { PrivateData } from '../sql/reading/private-data.js';
export { quoteName } from '../sql/reading/quote-name.js';
export { type ComparedColumns, compareColumns } from './author/change/compare-columns.js';
export { editRows } from './author/change/edit-rows.js';
export { findNameFault, readIdentity, replaceTopValues } from './author/change/rename-definition.js';
export { writeColumns } from './author/change/write-columns.js';
export { formatDefinitionText } from './author/format/format-definition-text.js';
export { writeDefinitionText } from './author/format/write-definition-text.js';
export { nameColumns } from './author/propose/edit-select.js';
export { type ProposedDefinition, proposeDefinition } from './author/propose/propose-definition.js';
export {
  type AuthorText,
  proposeFromSelect,
  SelectProblemsError,
  type SelectProposal,
} from './author/propose/propose-from-select.js';
export type { TakenNames } from './author/propose/propose-name.js';
export type { LiteralChoices } from './author/propose/propose-parameters.js';
export { columnNames, type TableMeaning, type TableMeanings, toKnownColumns } from './author/propose/table-meaning.js';
export { readDefinitionText, readWithoutColumns } from './author/read-definition-text.js';
export { maskClock, readSelect, type Select } from './author/read-select.js';
export { createNativeCellSchema, createTextCellSchema } from './cells/cell-schema.js';
export { createNativeWriter, createTextWriter, isNumeric, roundDecimal, toNativeValue } from './cells/cells.js';
export { createJsonWriter } from './cells/json-writer.js';
export { type ResultRows, writeResultRows } from './cells/result-rows.js';
export { type NativeRow, type TextRow, writeNativeRows, writeTextRows } from './cells/row-writer.js';
export {
  type ColumnDefinition,
  DATA_TYPES,
  type DataType,
  type EndpointDefinition,
  type ItemDefinition,
  type ParameterDefinition,
  type ParameterValue,
} from './definition/definition.js';
export { checkShape, endpointSchema } from './definition/definition-shape.js';
export {
  type DefinitionPath,
  type DefinitionSource,
  describeValue,
  isMapping,
  parseDocument,
} from './definition/definition-source.js';
export { normalizeParameter } from './definition/normalize-definition.js';
export { deduplicateProblems, fileProblem, formatPlace, formatProblem, type Problem } from './definition/problem.js';
export { expectedBySchema } from './definition/schema-expectation.js';
export { placeOf, positionOf } from './definition/yaml-places.js';
export { type BrokenEndpoint, brokenEndpointError, formatProblems } from './endpoint/broken-endpoint.js';
export type { Canary } from './endpoint/canary.js';
export type { Endpoint, EndpointQuery } from './endpoint/endpoint.js';
export { unknownEndpointError } from './endpoint/unknown-endpoint.js';
export type { ForeignFormat } from './foreign/find-sources.js';
export { type ImportReport, importDefinitions, type TakenDefinition } from './foreign/import-definitions.js';
export { writeFiles } from './foreign/write-files.js';
export type { DataSource } from './interface/data-source.js';
export type { DataVersion, DataVersions, VersionState } from './interface/data-versions.js';
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
} from './interface/database.js';
export { Deadline, type QueryLimits, type TimeLimit, withDeadline } from './interface/deadline.js';
export {
  cancelledError,
  EngineError,
  type ErrorCode,
  type ParameterError,
  stoppedError,
  timeoutError,
} from './interface/errors.js';
export { limitSignal } from './interface/limited-signal.js';
export { singleFlight } from './interface/single-flight.js';
export { type FindScans, type FullScan, findFullScans } from './lint/full-scan.js';
export { lintEndpoint } from './lint/lint-endpoint.js';
export { RULES } from './lint/rules.js';
export { deduplicateWarnings, formatWarning, type Warning } from './lint/warning.js';
export { type CurrentDefinitions, derive } from './live/derive.js';
export { nextCanaries } from './live/next-canaries.js';
export { type LiveState, nextDefinitions, type OutdatedEndpoint, rejectEndpoint } from './live/next-definitions.js';
export { findCacheNotes } from './load/cache-notes.js';
export { checkChartColumns } from './load/checks/chart-check.js';
export { checkParameters, checkValue } from './load/checks/parameter-check.js';
export { findCursorNotes } from './load/cursor-notes.js';
export { findDefinitionFiles, isDefinitionFile, type StoredFiles } from './load/definition-files.js';
export { DefinitionLoader, type LoadedEndpoints } from './load/definition-loader.js';
export { routeShape } from './load/find-repeats.js';
export { loadEndpointFiles, loadEndpoints } from './load/load-endpoints.js';
export { findRouteNotes } from './load/route-notes.js';
export { findTableNotes } from './load/table-notes.js';
export {
  createParameterSchema,
  DEFAULT_MAX_LENGTH,
  expectedOf,
  IMPLICIT_PATTERNS,
  validatorOf,
} from './parameters/parameter-schema.js';
export {
  createParameterReader,
  type ParameterValues,
  type RawParameters,
  rawFromValues,
} from './parameters/parameter-values.js';
export type { CompiledQuery } from './query/compiled-query.js';
export { sqlTime } from './query/compiled-query.js';
export type { Answer, Plan } from './run/answer.js';
export type { ChoiceFailure, ChoiceRefresh } from './run/choice-values.js';
export { createEngine } from './run/database-engine.js';
export type { Engine, EngineParts } from './run/engine.js';
export { MAX_LOOKED_UP_TEXTS } from './run/prepare/look-up.js';
export { nameHint, rejectionReason } from './run/prepare/name-hint.js';
export { createPreparedTexts, type PreparedTexts, prepareEndpoints } from './run/prepare/prepared-queries.js';
export type { EndedQuery, EngineEvent, QueryLoad } from './run/queries/events.js';
export { FairQueue } from './run/queries/fair-queue.js';
export { Slots } from './run/queries/slots.js';
export type { CacheRule, RequestIdentity } from './run/request-identity.js';
export type { RunOptions } from './run/request-runner.js';
export type { Definitions, EndpointTrial } from './run/served-definitions.js';
export type { AnswerReceiver, StreamedAnswer, StreamStart } from './run/stream-rows.js';
export type { Check, Place } from './verify/checks/check-list.js';
export { findResultDifference, listRowDifferences, type RowDifference } from './verify/checks/row-difference.js';
export { type Comparison, compareEndpoint } from './verify/compare-endpoint.js';
export type { Coverage } from './verify/coverage.js';
export type { CellKind, FixtureColumn, FixtureDatabase, FixtureTable } from './verify/fixtures/fixture-database.js';
export { FixtureEngine } from './verify/fixtures/fixture-engine.js';
export { readKnownValues } from './verify/known-values.js';
export { findNewRows, type RowsEdit } from './verify/new-rows.js';
export {
  createBrokenVerification,
  type Verification,
  type VerifyOptions,
  verifyEndpoint,
} from './verify/verify-endpoint.js';

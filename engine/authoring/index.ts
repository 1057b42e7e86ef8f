export { lintEndpoint } from '../definitions/lint/lint-endpoint.js';
export { type ComparedColumns, compareColumns } from './change/compare-columns.js';
export { editRows } from './change/edit-rows.js';
export { findNameFault, readIdentity, replaceTopValues } from './change/rename-definition.js';
export { writeColumns } from './change/write-columns.js';
export type { ForeignFormat } from './foreign/find-sources.js';
export { type ImportReport, importDefinitions, type TakenDefinition } from './foreign/import-definitions.js';
export { writeFiles } from './foreign/write-files.js';
export { formatDefinitionText } from './format/format-definition-text.js';
export { readDefinitionText, readWithoutColumns } from './format/read-definition-text.js';
export { writeDefinitionText } from './format/write-definition-text.js';
export { readCatalogueMeanings } from './propose/catalogue-meanings.js';
export { nameColumns } from './propose/edit-select.js';
export { type ProposedDefinition, proposeDefinition } from './propose/propose-definition.js';
export {
  type AuthorText,
  proposeFromSelect,
  SelectProblemsError,
  type SelectProposal,
} from './propose/propose-from-select.js';
export type { TakenNames } from './propose/propose-name.js';
export type { LiteralChoices } from './propose/propose-parameters.js';
export { maskClock, readSelect, type Select } from './propose/read-select.js';
export {
  columnNames,
  type TableMeaning,
  type TableMeanings,
  toKnownColumns,
} from './propose/table-meaning.js';
export type { Check, Place } from './verify/check-list.js';
export { type Comparison, compareEndpoint } from './verify/compare-endpoint.js';
export type { Coverage } from './verify/coverage.js';
export type {
  CellKind,
  FixtureColumn,
  FixtureDatabase,
  FixtureTable,
} from './verify/fixture-database.js';
export { FixtureEngine } from './verify/fixture-engine.js';
export { type FindScans, type FullScan, findFullScans } from './verify/full-scan.js';
export { readKnownValues } from './verify/known-values.js';
export { findNewRows, type RowsEdit } from './verify/new-rows.js';
export { findUnknownTimeZones } from './verify/time-zones.js';
export {
  createBrokenVerification,
  type Verification,
  type VerifyOptions,
  verifyEndpoint,
} from './verify/verify-endpoint.js';

import { prepareEndpoints } from '../../answers/prepare/prepared-queries.js';
import type { ParameterDefinition } from '../../definitions/definition.js';
import {
  type DefinitionPath,
  type DefinitionSource,
  type ProblemFacts,
  parseDefinition,
} from '../../definitions/definition-source.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import { expandDefinition } from '../../definitions/expand-definition.js';
import { checkEndpoint } from '../../definitions/load/endpoint-check.js';
import { findCacheNotes } from '../../definitions/load/notes.js';
import type { Problem } from '../../definitions/problem.js';
import { readQuery } from '../../definitions/query/query.js';
import type { SqlReader } from '../../sql/reading/sql-reader.js';
import { writeDefinitionText } from '../format/write-definition-text.js';
import { addColumns, type BuildOptions, provisionalColumns } from './build-columns.js';
import { ConversionLog, type ConvertedDefinition, placeIn, type SourcePlace } from './conversion.js';

/** The text of a definition file that passes all checks, or the problems. */
export interface BuiltEndpoint {
  readonly text: string | undefined;
  readonly path: string | undefined;
  readonly changes: readonly Problem[];
  readonly problems: readonly Problem[];
}

/** Adds the columns, and runs the checks of `endpoint check` in memory. Problems have positions in the foreign files. */
export async function buildEndpoint(
  converted: ConvertedDefinition,
  place: SourcePlace,
  options: BuildOptions,
): Promise<BuiltEndpoint> {
  const log = new ConversionLog();
  const reject = (problems: readonly Problem[]) => ({
    text: undefined,
    path: undefined,
    changes: log.changes,
    problems,
  });
  const build = (columns: unknown, rules = converted.rules) => {
    const source = createSource(converted, place, definitionValue(converted, columns, rules));
    const endpoint = checkEndpoint(expandDefinition(source, []), { ...options, rowFilters: undefined });
    return 'definition' in endpoint ? { endpoint } : { problems: endpoint };
  };
  const draft = createSource(converted, place, definitionValue(converted, [], converted.rules));
  const params = draft.value.params as Readonly<Record<string, ParameterDefinition>>;
  const query = readQuery(draft, ['sql'], converted.sql.text, {
    parameters: params,
    columns: undefined,
    readSqlText: options.readSqlText,
  });
  const provisional = build(provisionalColumns(query, options.readSqlText));
  if ('problems' in provisional) return reject(provisional.problems);
  const unprepared = prepareEndpoints([provisional.endpoint], options.database ?? options.dialect).broken;
  if (unprepared.size > 0) return reject([...unprepared.values()].flatMap(({ problems }) => problems));
  const columns = await addColumns(converted, { query, params, endpoint: provisional.endpoint }, options, log);
  if (columns === undefined) return reject(log.problems);
  const complete = build(columns);
  if ('problems' in complete) return reject(complete.problems);
  const rules = withoutUselessCache(converted, complete.endpoint, place, options, log);
  const final = build(columns, rules);
  if ('problems' in final) return reject(final.problems);
  reportNullComparisons(converted, options, log);
  const text = await writeDefinitionText(final.endpoint.expanded);
  const problems = checkText(text, place, options.readSqlText);
  return problems.length > 0 ? reject(problems) : { text, path: converted.path, changes: log.changes, problems: [] };
}

/** Returns the content of a definition, with the keys in their usual order. */
function definitionValue(
  { name, path, texts, params, sql }: ConvertedDefinition,
  columns: unknown,
  { pagination, ...rules }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const definitions = Object.fromEntries([...params].map(([key, { definition }]) => [key, definition]));
  return {
    name,
    ...(path !== undefined && { path }),
    ...texts,
    params: definitions,
    ...(pagination !== undefined && { pagination }),
    columns,
    sql: `${sql.text}\n`,
    ...rules,
  };
}

/** Creates a definition source whose problems have positions in the foreign files. */
function createSource(
  { params, places, sql }: ConvertedDefinition,
  place: SourcePlace,
  value: Readonly<Record<string, unknown>>,
): DefinitionSource {
  const placeOf = ([key, name]: DefinitionPath, at: ProblemFacts['at']): SourcePlace => {
    if (key === 'sql' || key === 'columns')
      return placeIn(sql.source, sql.sourceOffset(typeof at === 'number' ? at : 0));
    if (key === 'params') return params.get(String(name))?.place ?? place;
    return places[String(key)] ?? place;
  };
  const problem: DefinitionSource['problem'] = (path, message, { at, ...facts } = {}) => ({
    ...placeOf(path, at),
    key: path.join('.'),
    message,
    ...facts,
  });
  return { file: place.file, value, problem };
}

/** Reports comparisons that never match in this database because it stores NULL instead of an empty text. */
function reportNullComparisons({ sql }: ConvertedDefinition, { nullTexts }: BuildOptions, log: ConversionLog): void {
  const columns = [...nullTexts].flatMap(([table, texts]) =>
    new RegExp(`\\b${table}\\b`, 'i').test(sql.text) ? texts : [],
  );
  for (const { at, text, column } of findNullComparisons(sql.text, columns)) {
    const message =
      `${text}: this database has NULL, not an empty text, for an unknown ${column}, and NULL never matches; ` +
      `to compare it as an empty text, write COALESCE(${column}, '')`;
    log.change(placeIn(sql.source, sql.sourceOffset(at)), 'sql', message);
  }
}

/** Removes the key `cache` if the service knows the versions of the tables, because the key would have no effect. */
function withoutUselessCache(
  { rules, places }: ConvertedDefinition,
  endpoint: Endpoint,
  place: SourcePlace,
  { isVersioned }: BuildOptions,
  log: ConversionLog,
): ConvertedDefinition['rules'] {
  const note = findCacheNotes(endpoint, isVersioned).find(({ key }) => key === 'cache');
  if (note === undefined) return rules;
  const { cache: _, ...others } = rules;
  log.change(places.cache ?? place, 'cache', `dropped: ${note.message.replace(/^[^:]*: /, '')}`);
  return others;
}

/** Parses the written text of the definition file again, and returns its problems. */
function checkText(text: string, place: SourcePlace, readSqlText: SqlReader): readonly Problem[] {
  const source = parseDefinition('definition.yaml', Buffer.from(text));
  if (!('value' in source)) return [{ ...source, ...place }];
  const endpoint = checkEndpoint(expandDefinition(source, []), { readSqlText, rowFilters: undefined });
  return 'definition' in endpoint ? [] : endpoint.map((problem) => ({ ...problem, ...place }));
}

/** A comparison that never matches rows without a value, because the database stores NULL for them. */
interface NullComparison {
  /** The offset of the comparison in the SQL. */
  readonly at: number;
  readonly text: string;
  readonly column: string;
}

/**
 * Finds comparisons that match other rows if a column has NULL instead of an empty text: `= ''`, an IN with `''`, and
 * all negative comparisons.
 */
function findNullComparisons(sql: string, columns: readonly string[]): NullComparison[] {
  if (columns.length === 0) return [];
  const name = `(?<![\\w\`$'"])(?:\\w+\\.)?\`?(?<column>${columns.join('|')})\`?`;
  const empty = `''|""`;
  const comparison = `=\\s*(?:${empty})|(?:<>|!=)\\s*[^\\s=]+|NOT\\s+(?:IN|LIKE)\\b|IN\\s*\\([^()]*(?:${empty})[^()]*\\)`;
  return [
    ...sql
      .replace(COMMENTS, (comment) => ' '.repeat(comment.length))
      .matchAll(new RegExp(`${name}\\s*(?:${comparison})`, 'gi')),
  ].map(({ 0: text, index: at, groups }) => ({ at, text: text.replace(/\s+/g, ' '), column: groups?.column ?? '' }));
}

const COMMENTS = /--[^\n]*|\/\*.*?\*\//gs;

import { basename, dirname, join } from 'node:path';
import { isMapping } from '../../definitions/definition-source.js';
import { fileProblem } from '../../definitions/problem.js';
import { ConversionLog, type ConversionResult, type DeclaredColumn, placeIn, type SqlSource } from './conversion.js';
import { DocumentFields } from './document-fields.js';
import { reportName, textsOf, toKebabCase } from './names.js';
import { convertQueryParameter, type QueryParameter, type TypedParameter } from './query-parameter.js';
import type { SourceFolder } from './source-folder.js';
import { findLiquidOutputs, findListTests, hasLiquidCode, isInTag } from './template/liquid-outputs.js';
import { type FoundPlaceholder, type SqlNode, splitAtPlaceholders } from './template/sql-nodes.js';
import { findUses, type PlaceholderUse } from './template/template-text.js';
import { writeTemplate } from './template/write-template.js';

const TEMPLATE = 'template.sql';
/** The file of a program that computes values for the template. A query with this file cannot be imported. */
const CONTEXT = 'context_builder.js';
const KEYS = [
  '$schema',
  'name',
  'engine',
  'public',
  'deprecated',
  'description',
  'cacheProvider',
  'cacheHours',
  'refreshQueue',
  'refreshCron',
  'refreshHours',
  'onlyFromCache',
  'params',
  'persist',
  'resultSchema',
];

/** Converts a query folder: `params.json` and `template.sql`. `path` is the path of `params.json`. */
export async function convertQueryFolder(
  folder: SourceFolder,
  path: string,
  isExisting: (path: string) => boolean,
): Promise<ConversionResult> {
  const log = new ConversionLog();
  const directory = dirname(path);
  const foreignName = nameOf(folder, directory);
  const start = { file: path, line: 1, column: 1 };
  const document = await folder.readJson(path);
  const sql = await folder.readSql(join(directory, TEMPLATE));
  if (!('value' in document)) log.problems.push(document);
  else if (!isMapping(document.value)) log.reject(start, '', 'the file must contain a mapping');
  if (!('text' in sql)) log.problems.push(sql);
  const context = join(directory, CONTEXT);
  if (isExisting(context))
    log.problems.push(fileProblem(context, 'a program computes values of this template: write them in SQL'));
  if (!('value' in document) || !isMapping(document.value) || !('text' in sql) || isExisting(context)) {
    return log.result(toKebabCase(foreignName), start, undefined);
  }
  const fields = new DocumentFields(document, [], document.value, log);
  return new QueryConversion(fields, sql, log).convert(fields.text('name') ?? foreignName);
}

/** Returns the name of a query: its path in the folder `queries`. */
function nameOf(folder: SourceFolder, directory: string): string {
  const name = folder.nameOf(directory).replace(/^(?:.*\/)?queries\//, '');
  return name === '' ? basename(directory) : name;
}

class QueryConversion {
  readonly #fields: DocumentFields;
  readonly #sql: SqlSource;
  readonly #log: ConversionLog;
  readonly #isLiquid: boolean;

  constructor(fields: DocumentFields, sql: SqlSource, log: ConversionLog) {
    this.#fields = fields;
    this.#sql = sql;
    this.#log = log;
    this.#isLiquid = fields.text('engine') === 'liquid' || (!fields.has('engine') && hasLiquidCode(sql.text));
  }

  convert(foreignName: string): ConversionResult {
    const [fields, log] = [this.#fields, this.#log];
    const name = toKebabCase(foreignName);
    const place = fields.place();
    reportName(log, place, 'name', foreignName, name);
    fields.reportUnknown(KEYS);
    this.#reportFlags();
    const texts = textsOf(
      log,
      fields.has('description') ? fields.place('description') : place,
      name,
      fields.text('description'),
    );
    const { nodes, parameters } = this.#readParameters();
    const typed = this.#typeParameters(nodes, parameters);
    const roles = new Map(parameters.map(({ name }) => [name, typed.get(name)?.role]));
    const lists = new Map(
      [...roles].flatMap(([foreign, role]) => (role?.isList === true ? [[foreign, role.name] as const] : [])),
    );
    const listTests = this.#isLiquid ? findListTests(this.#sql.text, lists) : [];
    const template = writeTemplate(nodes, { roles, isLiquid: this.#isLiquid, listTests });
    for (const { at, message } of template.changes) log.change(placeIn(this.#sql, at), 'sql', message);
    for (const { at, message } of template.problems) log.reject(placeIn(this.#sql, at), 'sql', message);
    const params = new Map(
      [...typed.values()].map(({ role, definition, place: at }) => [role.name, { definition, place: at }]),
    );
    const definition = {
      name,
      texts,
      params,
      rules: convertCacheSettings(fields),
      places: fields.has('cacheHours') ? { cache: fields.place('cacheHours') } : {},
      columns: this.#columns(),
      sql: { ...template, source: this.#sql },
    };
    return log.result(name, place, definition);
  }

  #reportFlags(): void {
    const fields = this.#fields;
    if (fields.flag('public') === false) fields.change('public', 'dropped: every endpoint is public');
    if (fields.flag('deprecated') === true) {
      fields.change('deprecated', 'dropped: write the day as `deprecated: YYYY-MM-DD`');
    }
  }

  /** Finds the placeholders in the order of the parameters, in which the foreign service also replaces them. */
  #readParameters(): { nodes: SqlNode[]; parameters: QueryParameter[] } {
    const entries = this.#fields.items('params').flatMap((fields) => {
      const name = fields.text('name') ?? '';
      if (name === '') fields.reject('name', 'the parameter has no name');
      const replaces = this.#isLiquid ? undefined : fields.text('replaces');
      if (!this.#isLiquid && (replaces ?? '') === '') fields.reject('replaces', 'the text to replace is missing');
      return name === '' ? [] : [{ fields, name, replaces: replaces || undefined }];
    });
    const split = (nodes: readonly SqlNode[], from: number): SqlNode[] =>
      this.#isLiquid
        ? splitAtPlaceholders(nodes, findLiquidOutputs)
        : entries
            .slice(from)
            .reduce<SqlNode[]>(
              (parts, { name, replaces }) =>
                splitAtPlaceholders(parts, (text) => (replaces === undefined ? [] : findTexts(text, name, replaces))),
              [...nodes],
            );
    const parameters = entries.map(({ fields, name, replaces }, index) => {
      const fragments = Object.entries(fields.mapping('template') ?? {}).map(
        ([value, text]) => [value, split([{ text: String(text), at: 0 }], index + 1)] as const,
      );
      return { fields, name, replaces, fragments: fields.has('template') ? new Map(fragments) : undefined };
    });
    return { nodes: split([{ text: this.#sql.text, at: 0 }], 0), parameters };
  }

  #typeParameters(nodes: readonly SqlNode[], parameters: readonly QueryParameter[]): Map<string, TypedParameter> {
    const inFragments = parameters.flatMap(({ fragments }) => [...(fragments?.values() ?? [])]);
    const uses = [nodes, ...inFragments].map(findUses);
    const typed = new Map<string, TypedParameter>();
    for (const parameter of parameters) {
      const places = new Set<PlaceholderUse>(uses.flatMap((use) => [...(use.get(parameter.name) ?? [])]));
      places.delete('comment');
      if (places.size === 0 && !(this.#isLiquid && isInTag(nodes, parameter.name))) {
        parameter.fields.change('name', `${parameter.name} is dropped: the SQL does not use it`);
        continue;
      }
      if (typed.has(parameter.name))
        parameter.fields.reject('name', `the parameter ${parameter.name} is declared twice`);
      const converted = convertQueryParameter(parameter, places, this.#log);
      if (converted !== undefined) typed.set(parameter.name, converted);
    }
    return typed;
  }

  /** Reads the descriptions and types of `resultSchema`. */
  #columns(): DeclaredColumn[] {
    const schema = this.#fields.mapping('resultSchema') ?? {};
    const properties = isMapping(schema.properties) ? schema.properties : {};
    return Object.entries(properties).map(([name, value]) => {
      const { type, description } = isMapping(value) ? value : {};
      const known = typeof type === 'string' ? COLUMN_TYPES[type] : undefined;
      return {
        name,
        ...(known !== undefined && { type: known }),
        ...(typeof description === 'string' && description !== '' && { description }),
      };
    });
  }
}

/** The column types for the types of `resultSchema`. */
const COLUMN_TYPES: Readonly<Record<string, string>> = {
  string: 'VARCHAR',
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'TINYINT',
};

function findTexts(text: string, parameter: string, wanted: string): FoundPlaceholder[] {
  const found: FoundPlaceholder[] = [];
  for (let start = text.indexOf(wanted); start >= 0; start = text.indexOf(wanted, start + wanted.length)) {
    found.push({ start, end: start + wanted.length, parameter });
  }
  return found;
}

/** The maximum `cache.ttl` of a definition. */
const MAX_HOURS = 24;

/** Settings of the foreign service that have no equivalent here, each with the reason. */
const DROPPED: Readonly<Record<string, string>> = {
  cacheProvider: 'the service stores answers in its own cache',
  refreshQueue: 'the service computes no answers in advance',
  onlyFromCache: 'an answer that is not stored is computed',
  persist: 'the service writes no results to tables',
};

/**
 * Converts the cache and schedule settings of a `params.json`. `cacheHours` is how long an answer may be reused. With a
 * schedule, the foreign service refreshed answers while it served the previous ones; `serve_stale` has the same effect.
 */
function convertCacheSettings(fields: DocumentFields): Readonly<Record<string, unknown>> {
  for (const [key, reason] of Object.entries(DROPPED)) {
    if (fields.has(key)) fields.change(key, `dropped: ${reason}`);
  }
  const hours = fields.number('cacheHours');
  const schedule = ['refreshCron', 'refreshHours'].find((key) => fields.has(key));
  if (schedule !== undefined) {
    const stale = hours === undefined || hours < 0 ? MAX_HOURS : Math.min(hours, MAX_HOURS);
    fields.change(
      schedule,
      `now serve_stale: ${formatHours(stale)}: the previous answer is served while a new one is computed`,
    );
    return { ...ttlOf(fields, hours), ...(stale > 0 && { serve_stale: formatHours(stale) }) };
  }
  return ttlOf(fields, hours);
}

function ttlOf(fields: DocumentFields, hours: number | undefined): Readonly<Record<string, unknown>> {
  if (hours === undefined || hours === 0) return {};
  if (hours > 0 && hours <= MAX_HOURS) return { cache: { ttl: formatHours(hours) } };
  fields.change(
    'cacheHours',
    `${hours < 0 ? 'unlimited' : `${hours} hours`}: it is now the longest cache.ttl, ${MAX_HOURS}h`,
  );
  return { cache: { ttl: formatHours(MAX_HOURS) } };
}

/** Formats hours as a duration for a definition file, in whole units. */
function formatHours(hours: number): string {
  if (Number.isInteger(hours)) return `${hours}h`;
  const minutes = hours * 60;
  return Number.isInteger(minutes) ? `${minutes}m` : `${Math.max(1, Math.round(hours * 3600))}s`;
}

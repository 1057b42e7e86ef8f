import { dirname, join } from 'node:path';
import { type DocumentSource, isMapping } from '../../definitions/definition-source.js';
import { ConversionLog, type ConversionResult, placeIn, type SqlSource } from './conversion.js';
import { DocumentFields } from './document-fields.js';
import { reportName, textsOf, toKebabCase } from './names.js';
import { convertServiceParameter, type ServiceParameter } from './service-parameter.js';
import type { SourceFolder } from './source-folder.js';
import { type FoundPlaceholder, type SqlNode, splitAtPlaceholders } from './template/sql-nodes.js';
import { findUses } from './template/template-text.js';
import { writeTemplate } from './template/write-template.js';

const KEYS = [
  'name',
  'description',
  'method',
  'endpoint',
  'data_source',
  'params',
  'settings',
  'tag',
  'batch_operation',
  'sql_file',
  'type',
  'return_type',
];
const SETTINGS = ['timeout', 'row_limit', 'cache_enabled', 'cache_ttl', 'enable_pagination'];
/** The statement USE, which can be the first statement of a file. */
const USE = /^(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|--[^\n]*\n|#[^\n]*\n)*(USE\s+(?:`[^`]+`|[\w$-]+)\s*;)/is;
const DEFAULT_PAGE = 30;

/** Converts all endpoints of a Data App. `path` is the path of `http_endpoints/config.json`. */
export async function convertDataApp(
  folder: SourceFolder,
  path: string,
  routePrefix: string,
): Promise<ConversionResult[]> {
  const log = new ConversionLog();
  const start = { file: path, line: 1, column: 1 };
  const document = await folder.readJson(path);
  if (!('value' in document)) log.problems.push(document);
  else if (!Array.isArray(document.value)) log.reject(start, '', 'the file must contain a list of endpoints');
  if (log.problems.length > 0 || !('value' in document)) return [log.result(folder.nameOf(path), start, undefined)];
  const results: ConversionResult[] = [];
  for (const [index, value] of (document.value as unknown[]).entries()) {
    results.push(await convertEndpoint(folder, document, index, value, routePrefix));
  }
  return results;
}

async function convertEndpoint(
  folder: SourceFolder,
  document: DocumentSource,
  index: number,
  value: unknown,
  routePrefix: string,
): Promise<ConversionResult> {
  const log = new ConversionLog();
  const fields = new DocumentFields(document, [index], isMapping(value) ? value : {}, log);
  const place = fields.place();
  const foreignName = fields.text('name') ?? fields.text('endpoint') ?? `endpoint ${index + 1}`;
  const name = toKebabCase(foreignName);
  if (!isMapping(value)) {
    log.reject(place, String(index), 'an endpoint must be a mapping');
    return log.result(name, place, undefined);
  }
  checkKind(fields);
  const file = fields.text('sql_file');
  if (file === undefined) fields.reject('sql_file', 'the key "sql_file" is missing');
  const sql = file === undefined ? undefined : await folder.readSql(join(dirname(document.file), file));
  if (sql !== undefined && !('text' in sql)) fields.reject('sql_file', sql.message, { got: file ?? '' });
  if (sql === undefined || !('text' in sql) || log.problems.length > 0) return log.result(name, place, undefined);
  reportName(log, fields.has('name') ? fields.place('name') : place, 'name', foreignName, name);
  return convertSql({ fields, sql, log, name, routePrefix });
}

/** Rejects endpoints that are not GET, because a definition can only read data. */
function checkKind(fields: DocumentFields): void {
  fields.reportUnknown(KEYS);
  const method = fields.text('method')?.toUpperCase();
  if (method !== 'GET') {
    fields.reject('method', 'only endpoints with the method GET can be imported', {
      expected: 'GET',
      got: method ?? 'nothing',
    });
  }
  if (fields.flag('batch_operation') === true) fields.reject('batch_operation', 'batch operations write data');
  const type = fields.text('type') ?? 'sql_endpoint';
  if (type !== 'sql_endpoint') fields.reject('type', 'unsupported type', { expected: 'sql_endpoint', got: type });
  const answer = fields.text('return_type') ?? 'json';
  if (answer !== 'json') fields.reject('return_type', 'unsupported type of answers', { expected: 'json', got: answer });
}

interface EndpointParts {
  readonly fields: DocumentFields;
  readonly sql: SqlSource;
  readonly log: ConversionLog;
  readonly name: string;
  readonly routePrefix: string;
}

function convertSql({ fields, sql, log, name, routePrefix }: EndpointParts): ConversionResult {
  const place = fields.place();
  const nodes = splitAtPlaceholders(withoutUse(sql, log), findPlaceholders);
  const uses = findUses(nodes);
  const path = fields.text('endpoint');
  const entries = fields.items('params');
  const parameters = new Map(
    entries.flatMap((entry): [string, ServiceParameter][] => {
      const converted = convertServiceParameter(entry, uses, path ?? '', log);
      return converted === undefined ? [] : [[converted.foreignName, converted]];
    }),
  );
  const names = entries.map((entry) => entry.text('name') ?? '');
  const roles = new Map(names.map((foreign) => [foreign, parameters.get(foreign)?.role]));
  const template = writeTemplate(nodes, { roles, isLiquid: false });
  for (const { at, message } of template.changes) log.change(placeIn(sql, at), 'sql', message);
  for (const { at, message } of template.problems) log.reject(placeIn(sql, at), 'sql', message);
  const tag = fields.text('tag') ?? 'Default';
  const texts = textsOf(log, place, name, fields.text('description'));
  const definition = {
    name,
    ...(path !== undefined && { path: routeOf(fields, path, routePrefix) }),
    texts: { ...texts, ...(tag !== 'Default' && tag !== '' && { tags: [tag] }) },
    params: new Map([...parameters.values()].map((one) => [one.role.name, one])),
    rules: rulesOf(fields, log),
    places: {
      ...(fields.has('endpoint') && { path: fields.place('endpoint') }),
      ...(fields.has('settings') && { cache: fields.place('settings'), limits: fields.place('settings') }),
    },
    columns: [],
    sql: { ...template, source: sql },
  };
  return log.result(name, place, definition);
}

function routeOf(fields: DocumentFields, path: string, routePrefix: string): string {
  const route = `${routePrefix}/${path.replace(/^\//, '')}`;
  fields.change('endpoint', `the path ${path} is now ${route}`);
  return route;
}

/** Returns the SQL without the statement USE. */
function withoutUse(sql: SqlSource, log: ConversionLog): SqlNode[] {
  const found = USE.exec(sql.text);
  const statement = found?.[1];
  if (found === null || statement === undefined) return [{ text: sql.text, at: 0 }];
  const start = found[0].length - statement.length;
  log.change(placeIn(sql, start), 'sql', `${statement} is dropped: the tables are those of DATABASE_URL`);
  const rest = sql.text.slice(found[0].length);
  const next = found[0].length + rest.length - rest.trimStart().length;
  return [
    { text: sql.text.slice(0, start), at: 0 },
    { text: sql.text.slice(next), at: next },
  ];
}

/** Finds the placeholders `${name}`. */
function findPlaceholders(text: string): FoundPlaceholder[] {
  return [...text.matchAll(/\$\{\s*(\w+)\s*\}/g)].map(({ 0: all, 1: parameter = '', index }) => ({
    start: index,
    end: index + all.length,
    parameter,
  }));
}

/** Converts `settings` to `limits`, `pagination` and `cache`. */
function rulesOf(fields: DocumentFields, log: ConversionLog): Readonly<Record<string, unknown>> {
  const value = fields.mapping('settings');
  if (value === undefined) return {};
  const settings = fields.inside('settings', value);
  settings.reportUnknown(SETTINGS);
  const [timeout, rows] = [settings.number('timeout'), settings.number('row_limit')];
  const isPaged = settings.flag('enable_pagination') === true;
  const isCached = settings.flag('cache_enabled') === true;
  const ttl = settings.number('cache_ttl');
  const limits = { ...(rows !== undefined && { rows }), ...(timeout !== undefined && { timeout: `${timeout}ms` }) };
  const most = rows ?? 1000;
  if (isPaged) {
    const message = `pages have ${Math.min(DEFAULT_PAGE, most)} rows if a request has no page_size`;
    log.change(settings.place('enable_pagination'), 'settings.enable_pagination', message);
  }
  if (isCached && ttl === undefined) settings.reject('cache_enabled', 'cache_ttl is missing');
  return {
    ...(isPaged && { pagination: { default: Math.min(DEFAULT_PAGE, most), max: most } }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(isCached && ttl !== undefined && { cache: { ttl: `${ttl}s` } }),
  };
}

import { basename } from 'node:path';
import { DATA_TYPES } from '../../databases/interface/data-types.js';
import {
  ConversionLog,
  type ConversionResult,
  type ConvertedParameter,
  type DeclaredColumn,
  placeIn,
  type SqlSource,
} from './conversion.js';
import { reportName, textsOf, toKebabCase, toParameterName } from './names.js';
import { convertDefault, type TypeKeys } from './parameter-types.js';
import type { SourceFolder } from './source-folder.js';
import { findLiquidOutputs, hasLiquid, isInTag } from './template/liquid-outputs.js';
import { type FoundPlaceholder, readSegments, type SqlNode, splitAtPlaceholders } from './template/sql-nodes.js';
import { findUses, type ParameterRole } from './template/template-text.js';
import { writeTemplate } from './template/write-template.js';

/** A line with the name of a query, such as `-- name: top_ovens`, with the marks of aiosql (`^`, `!`) and sqlc (`:one`, `:exec`). */
const NAME_LINE = /^[ \t]*(?:--|#|\/\*)[ \t]*name[ \t]*:[ \t]*([^\s*^$!<#:]+)[ \t]*([*<]?!|[\^$#])?[ \t]*(:\w+)?.*$/gm;

/** Converts a file of SQL: one query, or several queries that start with `-- name: …`. */
export async function convertSqlFile(folder: SourceFolder, path: string): Promise<ConversionResult[]> {
  const source = await folder.readSql(path);
  const fallback = basename(path).replace(/\.sql$/i, '');
  if (!('text' in source)) {
    const log = new ConversionLog();
    log.problems.push(source);
    return [log.result(toKebabCase(fallback), { file: path, line: 1, column: 1 }, undefined)];
  }
  return sectionsOf(source, fallback).map((section) => convertSection(source, section));
}

/** One query of a file: its name, and the offsets of its first line and of its end. */
interface Section {
  readonly name: string;
  /** The mark after the name, such as `:one` or `!`. */
  readonly mark: string;
  readonly start: number;
  /** The offset after the line with the name. */
  readonly body: number;
  readonly end: number;
}

function sectionsOf({ text }: SqlSource, fallback: string): Section[] {
  const names = [...text.matchAll(NAME_LINE)];
  if (names.length === 0) return [{ name: fallback, mark: '', start: 0, body: 0, end: text.length }];
  return names.map(({ 0: line, 1: name = '', 2: sign, 3: mark, index }, place) => ({
    name,
    mark: mark ?? sign ?? '',
    start: index,
    body: index + line.length,
    end: names[place + 1]?.index ?? text.length,
  }));
}

function convertSection(source: SqlSource, section: Section): ConversionResult {
  const log = new ConversionLog();
  const name = toKebabCase(section.name);
  const place = placeIn(source, section.start);
  reportName(log, place, 'name', section.name, name);
  const { lines, code } = splitHeader(source.text, section);
  const header = readSqlHeader(lines, source, log);
  const rules = rulesOf(header, section, source, log);
  const text = source.text.slice(code, section.end);
  if (text.trim() === '') log.reject(placeIn(source, code), 'sql', 'there is no SQL after the header');
  const nodes = splitAtMarkers({ text, at: code });
  const { params, roles } = parametersOf(header, nodes, source, log);
  const template = writeTemplate(nodes, { roles, isLiquid: hasLiquid(text) });
  for (const { at, message } of template.changes) log.change(placeIn(source, at), 'sql', message);
  for (const { at, message } of template.problems) {
    const name = /^the parameter (\w+) is not declared$/.exec(message)?.[1];
    const facts = name === undefined ? {} : { expected: `-- param ${name} <type> "<description>" above the SQL` };
    log.reject(placeIn(source, at), 'sql', message, facts);
  }
  const path = header.values.get('path')?.text;
  const definition = {
    name,
    ...(path !== undefined && { path }),
    texts: describe(header, log, source, section, name),
    params,
    rules,
    places: Object.fromEntries(
      [...header.values].map(([key, { at }]) => [PLACE_KEYS[key] ?? key, placeIn(source, at)]),
    ),
    columns: header.columns,
    sql: { ...template, source },
  };
  return log.result(name, place, definition);
}

/** Separates the comment lines at the start of a query from its SQL. */
function splitHeader(text: string, { body, end }: Section): { lines: HeaderLine[]; code: number } {
  const lines: HeaderLine[] = [];
  let code = body;
  while (code < end) {
    const next = text.indexOf('\n', code);
    const stop = next < 0 || next >= end ? end : next + 1;
    const line = text.slice(code, stop);
    const comment = /^\s*(?:--\s?|#\s?)(.*)$/s.exec(line);
    if (comment === null && line.trim() !== '' && line.trim() !== '*/') break;
    if (comment !== null)
      lines.push({ text: (comment[1] ?? '').trim(), at: code + line.length - line.trimStart().length });
    code = stop;
  }
  return { lines, code };
}

function describe(header: SqlHeader, log: ConversionLog, source: SqlSource, section: Section, name: string) {
  const { values } = header;
  const summary = values.get('summary')?.text;
  const description = values.get('description')?.text ?? header.description;
  const tag = values.get('tag')?.text;
  const place = placeIn(source, section.start);
  const texts =
    summary === undefined
      ? textsOf(log, place, name, description)
      : { summary, ...(description !== '' && { description }) };
  return { ...texts, ...(tag !== undefined && { tags: tag.split(',').map((one) => one.trim()) }) };
}

function rulesOf({ values }: SqlHeader, section: Section, source: SqlSource, log: ConversionLog) {
  const { mark, start } = section;
  if (mark !== '' && !READING_MARKS.includes(mark)) {
    const message = `the query is marked with ${mark}: only queries that return rows can be imported`;
    log.reject(placeIn(source, start), 'name', message, { expected: READING_MARKS.join(', '), got: mark });
  }
  const number = (key: string) => {
    const line = values.get(key);
    if (line === undefined) return undefined;
    if (/^[1-9]\d*$/.test(line.text)) return Number(line.text);
    log.reject(placeIn(source, line.at), key, 'invalid value', {
      expected: 'a positive integer',
      got: JSON.stringify(line.text),
    });
    return undefined;
  };
  const isOneRow = ONE_ROW_MARKS.includes(mark);
  const rows = number('rows') ?? (isOneRow ? 1 : undefined);
  if (isOneRow && !values.has('rows')) log.change(placeIn(source, start), 'name', `${mark} is now limits.rows: 1`);
  const pageSize = number('page_size');
  const timeout = values.get('timeout')?.text;
  const limits = { ...(rows !== undefined && { rows }), ...(timeout !== undefined && { timeout }) };
  return {
    ...(pageSize !== undefined && { pagination: { default: pageSize, max: rows ?? Math.max(pageSize, 100) } }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}

/** The definition keys that correspond to the keys of a header. */
const PLACE_KEYS: Readonly<Record<string, string>> = {
  rows: 'limits',
  timeout: 'limits',
  page_size: 'pagination',
  tag: 'tags',
};
const ONE_ROW_MARKS = [':one', '^', '$'];
const READING_MARKS = [':many', ...ONE_ROW_MARKS];

function parametersOf(header: SqlHeader, nodes: readonly SqlNode[], source: SqlSource, log: ConversionLog) {
  const uses = findUses(nodes);
  const roles = new Map<string, ParameterRole>();
  const converted = new Map<string, ConvertedParameter>();
  for (const { name: foreignName, at, definition } of header.params) {
    const place = placeIn(source, at);
    const name = toParameterName(foreignName);
    if (roles.has(foreignName)) log.reject(place, 'param', `the parameter ${foreignName} is declared twice`);
    if (!uses.has(foreignName) && !isInTag(nodes, foreignName)) {
      log.change(place, 'param', `${foreignName} is dropped: the SQL does not use it`);
      continue;
    }
    reportName(log, place, 'param', foreignName, name);
    const choices = definition.enum as readonly (string | number)[] | undefined;
    roles.set(foreignName, { name, isList: definition.type === 'array', ...(choices && { choices }) });
    converted.set(name, { definition: withLocation(definition, name, header), place });
  }
  return { params: converted, roles };
}

/** Marks a parameter that the path contains as a required path parameter. */
function withLocation(definition: ConvertedParameter['definition'], name: string, { values }: SqlHeader) {
  if (values.get('path')?.text.includes(`{${name}}`) !== true) return definition;
  const { required: _, ...others } = definition;
  return { ...others, in: 'path' };
}

/** Splits SQL at `{{ name }}`, and outside of quotes and comments at `:name` and `sqlc.arg(name)`. */
function splitAtMarkers(node: { readonly text: string; readonly at: number }): SqlNode[] {
  if (hasLiquid(node.text)) return splitAtPlaceholders([node], findLiquidOutputs);
  const nodes = splitAtPlaceholders([node], (text) => findMarkers(text, SQLC_CALL));
  return readSegments(nodes).flatMap(({ kind, nodes }) =>
    kind === 'code' ? splitAtPlaceholders(nodes, (text) => findMarkers(text, MARKER)) : [...nodes],
  );
}

const MARKER = /(?<![:\w$]):([A-Za-z_]\w*)/g;
const SQLC_CALL = /\bsqlc\.(?:arg|narg|slice)\(\s*'?(\w+)'?\s*\)/gi;

function findMarkers(text: string, pattern: RegExp): FoundPlaceholder[] {
  return [...text.matchAll(pattern)].map(({ 0: all, 1: parameter = '', index }) => ({
    start: index,
    end: index + all.length,
    parameter,
  }));
}

/** A comment line above a query: its text without the comment sign, and its offset in the file. */
interface HeaderLine {
  readonly text: string;
  readonly at: number;
}

interface HeaderParameter {
  /** The name of the parameter in the foreign file. */
  readonly name: string;
  readonly at: number;
  readonly definition: Readonly<Record<string, unknown>>;
}

/** The declarations in the comment lines at the start of a query. */
interface SqlHeader {
  readonly values: ReadonlyMap<string, HeaderLine>;
  readonly params: readonly HeaderParameter[];
  readonly columns: readonly DeclaredColumn[];
  /** The comment lines that declare nothing. */
  readonly description: string;
}

const VALUE_KEYS = ['path', 'summary', 'description', 'tag', 'rows', 'timeout', 'page_size'];
const OPTIONS = [
  'default',
  'example',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'maxItems',
  'notAfter',
];
const TYPES: Readonly<Record<string, TypeKeys>> = {
  string: { type: 'string' },
  text: { type: 'string' },
  integer: { type: 'integer' },
  int: { type: 'integer' },
  number: { type: 'number' },
  float: { type: 'number' },
  boolean: { type: 'boolean' },
  bool: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
};

/** Parses header lines: `-- key: value`, `-- param name type …` and `-- column name type …`. */
function readSqlHeader(lines: readonly HeaderLine[], source: SqlSource, log: ConversionLog): SqlHeader {
  const values = new Map<string, HeaderLine>();
  const params: HeaderParameter[] = [];
  const columns: DeclaredColumn[] = [];
  const rest: string[] = [];
  for (const line of lines) {
    const place = placeIn(source, line.at);
    const [, word = '', value = ''] = /^(\w+)\s*:\s*(.*)$/.exec(line.text) ?? [];
    const [, kind, declaration = ''] = /^(param|column)(?:\s*:\s*|\s+)(.*)$/.exec(line.text) ?? [];
    if (kind === 'param') {
      const param = readParameter(declaration, (message, facts) => {
        log.reject(place, 'param', message, facts);
      });
      if (param !== undefined) params.push({ ...param, at: line.at });
    } else if (kind === 'column') {
      const column = readColumn(declaration, (message, facts) => {
        log.reject(place, 'column', message, facts);
      });
      if (column !== undefined) columns.push(column);
    } else if (VALUE_KEYS.includes(word)) {
      if (values.has(word)) log.reject(place, word, `the key "${word}" is written twice`);
      else values.set(word, { text: value.trim(), at: line.at });
    } else {
      if (word !== '') log.change(place, word, 'unknown key: the line is a part of the description');
      rest.push(line.text);
    }
  }
  return { values, params, columns, description: rest.join('\n').trim() };
}

type Reject = (message: string, facts?: { readonly expected?: string; readonly got?: string }) => void;

/** Parses a parameter declaration such as `oven string required maxLength 40 "Name of the oven"`. */
function readParameter(text: string, reject: Reject): Omit<HeaderParameter, 'at'> | undefined {
  const [, name = '', typeText = '', rest = ''] =
    /^(\w+)\s+(enum\s*\([^)]*\)(?:\[\])?|\w+(?:\[\])?)(.*)$/.exec(text) ?? [];
  const type = typeOf(typeText);
  if (type === undefined) {
    const expected = `name, type (${Object.keys(TYPES).join(', ')}, enum(a, b), or a type with [])`;
    reject('this declaration of a parameter cannot be read', { expected, got: JSON.stringify(text) });
    return undefined;
  }
  const options = readOptions(rest, type, reject);
  if (options === undefined) return undefined;
  const { description = name, ...others } = options;
  return { name, definition: { in: 'query', ...type, ...others, description } };
}

function typeOf(text: string): TypeKeys | undefined {
  const isList = text.endsWith('[]');
  const base = isList ? text.slice(0, -2) : text;
  const [, values] = /^enum\s*\((.*)\)$/.exec(base) ?? [];
  const items = values === undefined ? undefined : values.split(',').map((value) => unquote(value.trim()));
  const areNumbers = items?.every((value) => /^-?(0|[1-9]\d*)$/.test(value)) === true;
  const ofEnum = areNumbers ? { type: 'integer', enum: items?.map(Number) } : { type: 'string', enum: items };
  const type = items === undefined ? TYPES[base.toLowerCase()] : ofEnum;
  return isList && type !== undefined ? { type: 'array', items: type, maxItems: DEFAULT_ITEMS } : type;
}

/** The maximum number of items of a list without `maxItems`. */
const DEFAULT_ITEMS = 100;

function readOptions(text: string, type: TypeKeys, reject: Reject): Readonly<Record<string, unknown>> | undefined {
  const words = text.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? [];
  const options: Record<string, unknown> = {};
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word.startsWith('"') && word.endsWith('"') && word.length > 1) options.description = unquote(word);
    else if (word === 'required') options.required = true;
    else if (OPTIONS.includes(word) && words[index + 1] !== undefined) {
      index += 1;
      options[word] = optionValue(word, unquote(words[index] ?? ''), type);
    } else {
      reject('unknown option of a parameter', {
        expected: `required, ${OPTIONS.join(', ')} or "description"`,
        got: word,
      });
      return undefined;
    }
  }
  return options;
}

function optionValue(option: string, value: string, type: TypeKeys): unknown {
  if (option === 'pattern' || option === 'notAfter') return value;
  if (option !== 'default' && option !== 'example') return Number(value);
  if (type.type !== 'array') return convertDefault(value, type.type);
  const { type: item } = type.items as TypeKeys;
  return value.split(',').map((part) => convertDefault(part.trim(), item));
}

/** Parses a column declaration such as `weight DECIMAL not null "Kilograms"`. */
function readColumn(text: string, reject: Reject): DeclaredColumn | undefined {
  const pattern = /^(\w+)\s+((?:unsigned\s+)?\w+)(\s+not\s+null)?(?:\s+"((?:[^"\\]|\\.)*)")?$/i;
  const [, name = '', type = '', notNull, description] = pattern.exec(text.trim()) ?? [];
  const known = DATA_TYPES.find((one) => one === type.toUpperCase().replaceAll(/\s+/g, ' '));
  if (known === undefined) {
    reject('this declaration of a column cannot be read', {
      expected: 'name TYPE not null "description"',
      got: JSON.stringify(text),
    });
    return undefined;
  }
  return { name, type: known, nullable: notNull === undefined, ...(description && { description }) };
}

function unquote(text: string): string {
  return /^(["']).*\1$/s.test(text) ? text.slice(1, -1).replaceAll(/\\(.)/g, '$1') : text;
}

import { basename } from 'node:path';
import {
  ConversionLog,
  type ConversionResult,
  type ConvertedParameter,
  placeIn,
  type SqlSource,
} from './conversion.js';
import { reportName, textsOf, toKebabCase, toParameterName } from './names.js';
import type { SourceFolder } from './source-folder.js';
import { type HeaderLine, readSqlHeader, type SqlHeader } from './sql-header.js';
import { findLiquidOutputs, hasLiquid, isInTag } from './template/liquid-outputs.js';
import type { ParameterRole } from './template/parameter-role.js';
import { findUses } from './template/placeholder-uses.js';
import { type FoundPlaceholder, readSegments, type SqlNode, splitAtPlaceholders } from './template/sql-nodes.js';
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

import type { Pair, Scalar, YAMLMap } from 'yaml';
import { MAX_FILE_BYTES } from '../../definitions/definition-source.js';
import { quoteText, writeText } from '../format/scalar-text.js';
import type { RowsEdit } from '../verify/new-rows.js';
import { requireChange } from './require-change.js';

/**
 * Writes new rows into the text of a definition file. All other text, with its comments and formatting, does not change. Throws an
 * error if the text cannot be edited, for example because it changed in the meantime.
 */
export async function editRows(file: string, text: string, edits: readonly RowsEdit[]): Promise<string> {
  // Loaded on demand, because only commands that write definitions need this package.
  const yaml = await import('yaml');
  let changed = text;
  for (const edit of edits) {
    for (const [key, values] of Object.entries({ rows: edit.rows, ...edit.facts })) {
      changed = setKey(file, changed, findRequest(yaml, file, changed, edit), key, values as Values);
    }
  }
  if (Buffer.byteLength(changed) > MAX_FILE_BYTES) {
    throw new Error(
      `${file} would have more than ${MAX_FILE_BYTES} bytes with the new rows: use requests with fewer rows.`,
    );
  }
  const advice = 'write the key `rows` of its requests by hand';
  requireChange(file, { before: text, after: changed, expect: (values) => withRows(values, edits), advice });
  return changed;
}

type Yaml = typeof import('yaml');
type Values = readonly (string | Readonly<Record<string, string | number | null>>)[];

function setKey(file: string, text: string, request: YAMLMap, key: string, values: Values): string {
  const pairs = request.items as readonly Pair<Scalar, { readonly range?: readonly number[] | null }>[];
  const known = pairs.find((pair) => pair.key.value === key);
  const last = pairs.at(-1);
  const [from = 0, to = 0] = (known ?? last)?.value?.range ?? (known ?? last)?.key.range?.slice(1) ?? [];
  if (request.flow === true) {
    const write = file.endsWith('.json') ? JSON.stringify : writeName;
    const flow = `[${values.map((value) => writeValue(value, write)).join(', ')}]`;
    return known === undefined ? splice(text, to, to, `, ${write(key)}: ${flow}`) : splice(text, from, to, flow);
  }
  const line = text.includes('\r\n') ? '\r\n' : '\n';
  const indent = ' '.repeat(columnOf(text, (pairs[0]?.key.range ?? [0])[0] ?? 0));
  if (known !== undefined) {
    const colon = text.indexOf(':', known.key.range?.[1] ?? from) + 1;
    return splice(text, colon, endOfContent(text, Math.max(colon, to)), writeBlock(values, indent, line));
  }
  const end = endOfLine(text, endOfContent(text, to));
  return splice(text, end, end, `${line}${indent}${key}:${writeBlock(values, indent, line)}`);
}

/** Finds the YAML mapping of an example or a fixture. */
function findRequest(yaml: Yaml, file: string, text: string, { list, index, name }: RowsEdit): YAMLMap {
  const document = yaml.parseDocument(text);
  const items = document.get(list);
  const request = yaml.isSeq(items) ? items.items[index] : undefined;
  if (document.errors.length === 0 && yaml.isMap(request) && request.get('name') === name) return request;
  throw new Error(`${file} changed while its requests ran: run the command again.`);
}

/** Writes a list with one value per line, under its key. */
function writeBlock(values: Values, indent: string, line: string): string {
  if (values.length === 0) return ' []';
  return values.map((value) => `${line}${indent}  - ${writeValue(value, writeName)}`).join('');
}

/** Writes a value as JSON, which is also YAML. */
function writeValue(value: Values[number], write: (name: string) => string): string {
  if (typeof value === 'string') return quoteText(value);
  const cells = Object.entries(value).map(
    ([name, cell]) => `${write(name)}: ${typeof cell === 'string' ? quoteText(cell) : cell}`,
  );
  return `{ ${cells.join(', ')} }`;
}

function writeName(name: string): string {
  return writeText(name, true);
}

function splice(text: string, from: number, to: number, inserted: string): string {
  return text.slice(0, from) + inserted + text.slice(to);
}

function columnOf(text: string, offset: number): number {
  return offset - text.lastIndexOf('\n', offset - 1) - 1;
}

/** Returns the offset after the last character before `offset` that is not white space. */
function endOfContent(text: string, offset: number): number {
  return text.slice(0, offset).trimEnd().length;
}

function endOfLine(text: string, offset: number): number {
  const end = /\r?\n/.exec(text.slice(offset));
  return end === null ? text.length : offset + end.index;
}

/** Returns the values that the edited text must have: those of the parsed definition, with the new rows. */
function withRows(values: Readonly<Record<string, unknown>>, edits: readonly RowsEdit[]) {
  const changed = structuredClone(values);
  for (const { list, index, rows, facts } of edits) {
    const requests = changed[list] as Record<string, unknown>[] | undefined;
    Object.assign(requests?.[index] ?? {}, { rows, ...facts });
  }
  return changed;
}

import {
  constructFromEvents,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from 'js-yaml';
import type { Problem } from './problem.js';
import { type Place, placeOf, positionOf } from './yaml-places.js';

/** The path to a value in a definition: keys and array indexes. */
export type DefinitionPath = readonly (string | number)[];

/** A parsed definition file that can locate each of its values. */
export interface DefinitionSource extends DocumentSource {
  readonly value: Readonly<Record<string, unknown>>;
}

/** A parsed YAML or JSON file that can locate each of its values. */
export interface DocumentSource {
  readonly file: string;
  readonly value: unknown;
  /**
   * Creates a problem at the value of `path`. With `at: 'key'`, its position is the key of the value; with `at:
   * <offset>`, a character in the text of the value.
   */
  problem(path: DefinitionPath, message: string, facts?: ProblemFacts): Problem;
}

export interface ProblemFacts {
  readonly at?: 'key' | number;
  readonly expected?: string;
  readonly got?: string;
}

export const MAX_FILE_BYTES = 1_000_000;

/** Reads a definition file. Returns one problem if the file as a whole is invalid. */
export function parseDefinition(file: string, bytes: Uint8Array): DefinitionSource | Problem {
  const source = parseDocument(file, bytes);
  if (!('value' in source)) return source;
  const { value } = source;
  if (isMapping(value)) return { ...source, value };
  return { ...source.problem([], 'a definition must be a mapping', { got: describeValue(value) }), line: 1, column: 1 };
}

/** Reads a YAML or JSON file with any value. Returns one problem if the file as a whole is invalid. */
export function parseDocument(file: string, bytes: Uint8Array, maxBytes = MAX_FILE_BYTES): DocumentSource | Problem {
  const text = decodeText(file, bytes, maxBytes);
  if (typeof text !== 'string') return text;
  const syntaxProblem = file.endsWith('.json') ? jsonProblem(file, text) : undefined;
  if (syntaxProblem !== undefined) return syntaxProblem;
  try {
    const events = parseEvents(text, { maxDepth: 50 });
    if (events.filter((event) => event.type === EVENT_ID.DOCUMENT).length > 1) {
      return problemAt(file, text, 0, {
        message: 'the file must contain one definition, it contains several YAML documents',
      });
    }
    const value = constructFromEvents(events, { source: text, maxAliases: 0 })[0];
    if (value === undefined || value === null) return problemAt(file, text, 0, { message: 'the file is empty' });
    return { file, value, problem: (path, message, facts) => locatedProblem(file, text, events, path, message, facts) };
  } catch (error) {
    return yamlProblem(file, text, error);
  }
}

/** Describes a value of a YAML file for messages: scalars as JSON, collections by their kind. */
export function describeValue(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  // JSON cannot represent `.inf` and `.nan`.
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Decodes a file. Returns a problem if it is too large or not text in UTF-8. A byte order mark is removed. */
export function decodeText(file: string, bytes: Uint8Array, maxBytes = MAX_FILE_BYTES): string | Problem {
  const reject = (message: string, facts: Partial<Problem> = {}) => problemAt(file, '', 0, { message, ...facts });
  if (bytes.length > maxBytes) {
    return reject('the file is too large for a definition', {
      expected: `at most ${maxBytes} bytes`,
      got: `${bytes.length}`,
    });
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? reject('the file is not text', { expected: 'YAML or JSON in UTF-8' }) : text;
  } catch {
    return reject('the file is not UTF-8: save it as UTF-8');
  }
}

function jsonProblem(file: string, text: string): Problem | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const place = /at position (\d+)/.exec(reason)?.[1];
    const offset = place === undefined ? text.length : Number(place);
    return problemAt(file, text, offset, { message: `not JSON: ${reason.replace(/ \(line.*$/, '')}` });
  }
}

function yamlProblem(file: string, text: string, error: unknown): Problem {
  if (!(error instanceof YAMLException)) throw error;
  const hint = YAML_HINTS.find(([part]) => error.reason.includes(part))?.[1];
  const reason = error.reason.includes('maxAliases')
    ? 'aliases are not supported, repeat the value'
    : `${error.reason}${hint === undefined ? '' : `: ${hint}`}`;
  return problemAt(file, text, error.mark?.position ?? 0, { message: `not YAML: ${reason}` });
}

/** Hints about the most frequent causes of YAML errors, by a part of the error message. */
const YAML_HINTS: readonly (readonly [string, string])[] = [
  ['tab characters', 'indent with spaces'],
  [
    'bad indentation of a mapping entry',
    'give all keys of a mapping the same indentation, and quote a text that contains ": "',
  ],
  ['deficient indentation', 'close the brace, bracket or quote on a previous line, or indent this line'],
  ['can not read a block mapping entry', 'indent all lines of a text, and write `key: value`'],
  ['end of the stream within a flow collection', 'close the brace or bracket'],
  ['end of the stream', 'write a space after the colon of a key'],
  ['duplicated mapping key', 'remove one of them'],
];

function problemAt(file: string, text: string, offset: number, rest: Partial<Problem> & { message: string }): Problem {
  return { file, ...positionOf(text, offset), key: '', ...rest };
}

function locatedProblem(
  file: string,
  text: string,
  events: readonly Event[],
  path: DefinitionPath,
  message: string,
  { at, ...facts }: ProblemFacts = {},
): Problem {
  const place = placeOf(text, events, path);
  const offset = at === 'key' ? place.key : typeof at === 'number' ? offsetInScalar(text, place, at) : place.value;
  return problemAt(file, text, offset, { key: path.join('.'), message, ...facts });
}

/**
 * Finds the position in the file of a character of a scalar's value. The value and the file differ only in indentation, folding and
 * escapes. So the function reads both in parallel and skips characters of the file that the value does not contain.
 */
function offsetInScalar(text: string, { value: start, scalar }: Place, offset: number): number {
  if (scalar === undefined) return start;
  const value = getScalarValue(text, scalar);
  let at = scalar.valueStart;
  for (let index = 0; index < value.length; index += 1) {
    const character = value[index] ?? '';
    const escapeHere = () => (scalar.style === SCALAR_STYLE.DOUBLE_QUOTED ? escapeLength(text, at) : 0);
    if (character.trim() !== '') while (at < scalar.valueEnd && text[at] !== character && escapeHere() === 0) at += 1;
    if (index === offset) return at;
    at += escapeHere() || (text[at] === character ? 1 : 0);
  }
  return at;
}

/**
 * Returns the length of the escape sequence at a character of a double-quoted scalar. Returns 0 if there is no escape
 * sequence, or if it only joins two lines.
 */
function escapeLength(text: string, at: number): number {
  if (text[at] !== '\\' || text[at + 1] === '\n' || text[at + 1] === '\r') return 0;
  return { x: 4, u: 6, U: 10 }[text[at + 1] ?? ''] ?? 2;
}

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

/** Where in a definition: the keys and array indexes that lead to a value. */
export type DefinitionPath = readonly (string | number)[];

/** A parsed definition file that still knows where everything stands. */
export interface DefinitionSource {
  readonly file: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** A problem at the value of `path`, or at its key with `at: 'key'`, or at a character of its text with `at: <offset>`. */
  problem(path: DefinitionPath, message: string, facts?: ProblemFacts): Problem;
}

export interface ProblemFacts {
  readonly at?: 'key' | number;
  readonly expected?: string;
  readonly got?: string;
}

export const MAX_FILE_BYTES = 1_000_000;

/** Reads YAML, of which JSON is a part. Anything wrong with the file as a whole is one problem. */
export function parseDefinition(file: string, bytes: Uint8Array): DefinitionSource | Problem {
  const text = decodeText(file, bytes);
  if (typeof text !== 'string') return text;
  const syntaxProblem = file.endsWith('.json') ? jsonProblem(file, text) : undefined;
  if (syntaxProblem !== undefined) return syntaxProblem;
  try {
    const events = parseEvents(text, { maxDepth: 50 });
    if (events.filter((event) => event.type === EVENT_ID.DOCUMENT).length > 1) {
      return problemAt(file, text, 0, {
        message: 'one file holds one definition, this one has several YAML documents',
      });
    }
    const value = constructFromEvents(events, { source: text, maxAliases: 0 })[0];
    if (value === undefined || value === null) return problemAt(file, text, 0, { message: 'the file is empty' });
    if (!isMapping(value)) {
      return problemAt(file, text, 0, { message: 'a definition is a mapping of keys', got: describeValue(value) });
    }
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
  return JSON.stringify(value);
}

export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function decodeText(file: string, bytes: Uint8Array): string | Problem {
  const wrong = (message: string, facts: Partial<Problem> = {}) => problemAt(file, '', 0, { message, ...facts });
  if (bytes.length > MAX_FILE_BYTES) {
    return wrong('the file is too large for a definition', {
      expected: `at most ${MAX_FILE_BYTES} bytes`,
      got: `${bytes.length}`,
    });
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? wrong('the file is not text', { expected: 'YAML or JSON in UTF-8' }) : text;
  } catch {
    return wrong('the file is not UTF-8: save it in that encoding');
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
    ? 'aliases are not read, write the value out'
    : `${error.reason}${hint === undefined ? '' : `: ${hint}`}`;
  return problemAt(file, text, error.mark?.position ?? 0, { message: `not YAML: ${reason}` });
}

/** What is mostly wrong where the reader says this. */
const YAML_HINTS: readonly (readonly [string, string])[] = [
  ['tab characters', 'indent with spaces'],
  ['bad indentation of a mapping entry', 'indent the keys of a mapping alike, and quote a text that has ": "'],
  ['deficient indentation', 'close the brace, bracket or quote before it, or indent the line'],
  ['can not read a block mapping entry', 'indent the lines of a text, and write `key: value`'],
  ['end of the stream', 'write a space after the colon of a key'],
  ['duplicated mapping key', 'leave one of them out'],
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
 * Finds a character of a scalar's value in the file. The two differ by indentation, folding and escapes only, so both
 * are read side by side and whatever the value has not is passed over.
 */
function offsetInScalar(text: string, { value: start, scalar }: Place, offset: number): number {
  if (scalar === undefined) return start;
  const value = getScalarValue(text, scalar);
  let at = scalar.valueStart;
  for (let index = 0; index < value.length; index += 1) {
    const wanted = value[index] ?? '';
    const escapeHere = () => (scalar.style === SCALAR_STYLE.DOUBLE_QUOTED ? escapeLength(text, at) : 0);
    if (wanted.trim() !== '') while (at < scalar.valueEnd && text[at] !== wanted && escapeHere() === 0) at += 1;
    if (index === offset) return at;
    at += escapeHere() || (text[at] === wanted ? 1 : 0);
  }
  return at;
}

/** The length of an escape of a double-quoted scalar; 0 where none is, or one that only joins lines. */
function escapeLength(text: string, at: number): number {
  if (text[at] !== '\\' || text[at + 1] === '\n' || text[at + 1] === '\r') return 0;
  return { x: 4, u: 6, U: 10 }[text[at + 1] ?? ''] ?? 2;
}

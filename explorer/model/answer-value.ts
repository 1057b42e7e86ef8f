import { Ajv, type ValidateFunction } from 'ajv';
import { expectedBySchema } from '../../engine/index.js';

/** The JSON in a text of a model if it matches a schema, or the problems. */
export type AnswerValue = { readonly value: unknown } | { readonly problems: readonly string[] };

/**
 * Finds the JSON object in a text of a model and validates it. Models often add text, reasoning in `<think>`, or code fences around their
 * JSON. The first object that matches the schema is returned.
 */
export function readAnswerValue(text: string, schema: Readonly<Record<string, unknown>>): AnswerValue {
  const isValid = ajv.compile(schema);
  let problems: readonly string[] | undefined;
  for (const candidate of candidatesIn(text)) {
    const value = parseObject(candidate);
    if (value === undefined) continue;
    if (isValid(value)) return { value };
    problems ??= problemsOf(isValid);
  }
  return { problems: problems ?? ['the answer must be one JSON object'] };
}

/** Ajv caches compiled schemas by the identity of the schema object. */
const ajv = new Ajv({ allErrors: true, verbose: true, strict: false });
const MAX_PROBLEMS = 10;
const MAX_CANDIDATES = 20;
const MAX_DEPTH = 50;

function* candidatesIn(text: string): Generator<string> {
  yield text;
  const spoken = text.replace(/^.*<\/think>/s, '');
  for (const [, fenced = ''] of spoken.matchAll(/```(?:json)?(.*?)```/gs)) yield fenced;
  let from = 0;
  for (let count = 0; count < MAX_CANDIDATES; count += 1) {
    const start = spoken.indexOf('{', from);
    if (start < 0) return;
    const end = endOfObject(spoken, start);
    if (end !== undefined) yield spoken.slice(start, end);
    from = end ?? start + 1;
  }
}

/** Finds the end of the object that begins at `start`. Undefined if the object has no end or is nested too deeply. */
function endOfObject(text: string, start: number): number | undefined {
  // The closing quotation mark is optional in the pattern, so that the time is linear even if it is missing.
  const signs = /[{}[\]]|"(?:[^"\\]|\\.)*"?/gs;
  signs.lastIndex = start;
  let depth = 0;
  for (let match = signs.exec(text); match !== null; match = signs.exec(text)) {
    if (match[0] === '{' || match[0] === '[') depth += 1;
    if (match[0] === '}' || match[0] === ']') depth -= 1;
    if (depth > MAX_DEPTH) return undefined;
    if (depth === 0) return signs.lastIndex;
  }
  return undefined;
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Describes errors only with names and rules from the schema, because the names of additional members are untrusted text of the model. */
function problemsOf({ errors }: ValidateFunction): string[] {
  const problems = (errors ?? []).slice(0, MAX_PROBLEMS).map((error) => {
    const place = error.instancePath === '' ? 'the answer' : `\`${error.instancePath.slice(1)}\``;
    if (error.keyword === 'required') return `${place} must have the member \`${error.params.missingProperty}\``;
    if (error.keyword === 'additionalProperties') return `${place} must have no other members than those of the schema`;
    return `${place} must be ${expectedBySchema(error, 'an object')}`;
  });
  return [...new Set(problems)];
}

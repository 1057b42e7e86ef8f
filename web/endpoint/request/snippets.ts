import type { ConsoleParameter, DefinitionDetails } from '../../api/definitions.js';
import { splitList } from '../../app/list-text.js';
import { type ParameterTexts, schemaOf, type ValueSchema, valueIn } from '../../parts/form/parameter-values.js';
import { type SharedRequest, withQuery } from '../../parts/share/share-links.js';

/** The request for a definition that a code snippet sends. */
export interface SnippetRequest extends SharedRequest {
  readonly definition: Pick<DefinitionDetails, 'name' | 'path' | 'summary' | 'parameters' | 'access'>;
}

/** Returns the URL under `/v1`; undefined if the definition has no path, or a parameter of its path has no value. */
export function pathUrl({ definition, values, root }: SnippetRequest): string | undefined {
  const { path } = definition;
  if (path === null) return undefined;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (inPath.some((name) => !valueIn(values, name))) return undefined;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(valueIn(values, name) ?? ''));
  const query = Object.entries(values).filter(([name]) => !inPath.includes(name));
  return withQuery(`${root}${filled.replace(/^\//, '')}`, query);
}

/** Returns a curl command for POSIX shells. The variable `API_KEY` contains the key for a definition that is not public. */
export function curlCommand(url: string, { access }: Pick<DefinitionDetails, 'access'>): string {
  const key = access === null ? '' : '-H "X-API-Key: $API_KEY" ';
  return `curl -sS --compressed ${key}${shellQuote(url)}`;
}

/** Quotes a text for POSIX shells. Inside of single quotes, no character has a special meaning. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function typescriptSnippet({ definition, values, root }: SnippetRequest): string {
  const entries = typedEntries(definition.parameters, values);
  const params = entries.map(([name, value]) => `  ${propertyName(name)}: ${JSON.stringify(value)},\n`).join('');
  const method = methodName(definition.name);
  const call = method === undefined ? `query(${JSON.stringify(definition.name)}, ` : `${method}(`;
  const key = definition.access === null ? '' : `, headers: { 'X-API-Key': process.env.API_KEY ?? '' }`;
  const given = entries.length === 0 ? (method === undefined ? '{}' : '') : `{\n${params}}`;
  return `// Write the client first: npx repo-insight client --out client.ts
import { RepoInsightClient } from './client.js';

const client = new RepoInsightClient({ baseUrl: ${JSON.stringify(root)}${key} });
const { data, dataAsOf, truncated, notices } = await client.${call}${given});
console.table(data);
`.replace(/, \)/, ')');
}

export function pythonSnippet({ definition, values, root }: SnippetRequest): string {
  const params = Object.entries(values).map(([name, value]) => `    ${pythonText(name)}: ${pythonText(value)},\n`);
  const base = pythonText(`${root}q/${encodeURIComponent(definition.name)}`);
  const given = params.length === 0 ? '{}' : `{\n${params.join('')}}`;
  const isPublic = definition.access === null;
  const call = isPublic ? 'url' : 'urllib.request.Request(url, headers={"X-API-Key": os.environ["API_KEY"]})';
  return `import json
${isPublic ? '' : 'import os\n'}import urllib.parse
import urllib.request

params = ${given}
url = ${base} + "?" + urllib.parse.urlencode(params)
with urllib.request.urlopen(${call}) as response:
    answer = json.load(response)

print(answer["dataAsOf"], "truncated:", answer["truncated"])
for row in answer["data"]:
    print(row)
`;
}

function typedEntries(parameters: readonly ConsoleParameter[], values: ParameterTexts): [string, unknown][] {
  return Object.entries(values).map(([name, text]) => {
    const parameter = parameters.find((one) => one.name === name);
    return [name, parameter === undefined ? text : typedValue(schemaOf(parameter), text)];
  });
}

function typedValue({ type, items }: ValueSchema, text: string): unknown {
  if (type === 'array') return splitList(text).map((item) => typedValue(items ?? {}, item));
  if (type === 'boolean') return text === 'true';
  const isNumber = (type === 'integer' || type === 'number') && text.trim() !== '' && Number.isFinite(Number(text));
  return isNumber ? Number(text) : text;
}

/** Names that the generated client renames. */
const RESERVED = new Set(['then', 'catch', 'finally', 'prototype', 'toJSON', 'query', 'constructor']);

/**
 * Returns the method of the generated client: `list-collections` → `listCollections`; undefined if the name cannot be derived with
 * certainty.
 */
function methodName(definition: string): string | undefined {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(definition)) return undefined;
  const name = definition.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return RESERVED.has(name) ? undefined : name;
}

function propertyName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

/**
 * Writes a text as a Python string. A JSON string is also valid in Python, except for lone surrogates, which values in a URL cannot
 * contain.
 */
function pythonText(text: string): string {
  return JSON.stringify(text);
}

import { dirname, join } from 'node:path';
import { createRowFilters } from '../../definitions/access/row-filters.js';
import type { DefinitionScope } from '../../definitions/definition-scope.js';
import { type DefinitionSource, parseDefinition } from '../../definitions/definition-source.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import { type ExpandedDefinition, expandDefinition } from '../../definitions/expand-definition.js';
import { checkEndpoint } from '../../definitions/load/endpoint-check.js';
import type { Problem } from '../../definitions/problem.js';
import { isSharedFile, type SharedFile, SharedFiles } from '../../definitions/shared-file.js';
import { createSqlReader } from '../../sql/reading/sql-reader.js';

export type ReadDefinition = { readonly endpoint: Endpoint } | { readonly problems: readonly Problem[] };

/** Checks the text of a definition that is not saved yet. `file` is its name in problems; shared files are read from its folder. */
export async function readDefinitionText(
  file: string,
  text: string,
  scope: DefinitionScope = {},
): Promise<ReadDefinition> {
  const source = parseDefinition(file, Buffer.from(text));
  if (!('value' in source)) return { problems: [source] };
  return check(await expand(source), scope);
}

/**
 * Reads a definition without its columns, so that its SELECT can be described although the columns are wrong. Also
 * returns the declared columns, including those of shared parts.
 */
export async function readWithoutColumns(
  file: string,
  text: string,
  scope: DefinitionScope = {},
): Promise<{ readonly read: ReadDefinition; readonly declared: unknown }> {
  const source = parseDefinition(file, Buffer.from(text));
  if (!('value' in source)) return { read: { problems: [source] }, declared: [] };
  const expanded = await expand(source);
  const others = expanded.problems.filter(({ key }) => !/^columns(\.|$)/.test(key));
  const ignored = { ...expanded, problems: others, broken: new Set([...expanded.broken, 'columns']) };
  const read = check(ignored, scope);
  return { read, declared: expanded.source.value.columns };
}

function check(expanded: ExpandedDefinition, scope: DefinitionScope): ReadDefinition {
  const rowFilters = createRowFilters(scope);
  const result = checkEndpoint(expanded, { ...scope, rowFilters, readSqlText: createSqlReader(scope.privateData) });
  return 'definition' in result ? { endpoint: result } : { problems: result };
}

async function expand(source: DefinitionSource): Promise<ExpandedDefinition> {
  const { shared } = source.value;
  const names = Array.isArray(shared) ? shared.filter((name) => typeof name === 'string' && isSharedFile(name)) : [];
  const files = new SharedFiles();
  const read = names.map((name): Promise<SharedFile> => files.read(join(dirname(source.file), String(name))));
  return expandDefinition(source, await Promise.all(read));
}

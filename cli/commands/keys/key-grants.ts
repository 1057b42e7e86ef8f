import type { ApiKey } from '../../../accounts/keys/api-key.js';
import { didYouMean, type Endpoint, hasAccess, isClaimValue } from '../../../engine/index.js';
import type { FolderSettings } from '../../../server/settings/definition-folders.js';
import { createDefinitionLoader, readDefinitions } from '../../../server/settings/definitions.js';

/**
 * Throws an Error with every scope that is neither the name of a definition, nor a tag of one, nor `*`. Resolves to the valid definitions,
 * which `*` does not need.
 */
export async function checkScopes(settings: FolderSettings, scopes: readonly string[]): Promise<readonly Endpoint[]> {
  if (scopes.length === 0)
    throw new Error("Expected at least one --scope: the name of an endpoint, tag:<tag>, or '*' for all endpoints.");
  if (scopes.includes('*')) {
    if (scopes.length === 1) return (await createDefinitionLoader(settings).load()).endpoints;
    throw new Error("--scope: '*' includes all other scopes; omit them.");
  }
  const { endpoints, broken } = await readDefinitions(settings);
  const names = [...endpoints.map(({ definition }) => definition.name), ...broken.flatMap(({ name }) => name ?? [])];
  const tags = endpoints.flatMap(({ definition }) => definition.tags ?? []).map((tag) => `tag:${tag}`);
  const known = [...new Set([...names, ...tags])];
  const problems = scopes.filter((scope) => !known.includes(scope)).map((scope) => describeUnknown(scope, known));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return endpoints;
}

function describeUnknown(scope: string, known: readonly string[]): string {
  const isTag = scope.startsWith('tag:');
  const hint = known.includes(`tag:${scope}`) ? ` (did you mean "tag:${scope}"?)` : didYouMean(scope, known);
  const what = isTag ? `no endpoint has the tag ${JSON.stringify(scope.slice(4))}` : `there is no endpoint ${scope}`;
  return `--scope: ${what}${hint}.`;
}

export function checkRoles(roles: readonly string[], option = '--role'): void {
  const wrong = roles.find((role) => !/^[A-Za-z0-9_.-]{1,64}$/.test(role));
  if (wrong === undefined) return;
  throw new Error(`${option}: expected 1 to 64 letters, digits, _, . and -, got ${JSON.stringify(wrong)}.`);
}

/** Returns a sentence for each role that no endpoint uses, and for the claims that endpoints in the scopes of the key need. */
export function findMissingGrants(
  endpoints: readonly Endpoint[],
  { scopes, roles, claims }: Pick<ApiKey, 'scopes' | 'roles' | 'claims'>,
): readonly string[] {
  const used = new Set(endpoints.flatMap(({ definition }) => definition.access ?? []));
  const unused = roles.filter((role) => !used.has(`role:${role}`));
  const caller = { id: '', roles, claims, scopes };
  const missing = endpoints.flatMap(({ definition, callerValues }) => {
    const names = callerValues.flatMap((name) => /^caller\.claims\.(.*)/.exec(name)?.[1] ?? []);
    const [first] = hasAccess(definition, caller) ? names.filter((name) => !Object.hasOwn(claims, name)) : [];
    return first === undefined ? [] : [[definition.name, first] as const];
  });
  return [
    ...unused.map((role) => `No endpoint uses the role ${role}${didYouMean(`role:${role}`, [...used])}.`),
    ...missing.map(([name, claim]) => `The key cannot read ${name}, which needs the claim ${claim} (--claim).`),
  ].slice(0, MAX_NOTES);
}

const MAX_NOTES = 20;

/** Converts the values of `--claim` to the types that `api.yaml` declares. Throws for other claims and for wrong values. */
export function readClaims(
  { api }: FolderSettings,
  pairs: readonly string[],
): Record<string, string | number | boolean> {
  const claims = new Map<string, string | number | boolean>();
  for (const pair of pairs) {
    const [, name = '', text = ''] = /^([^=]+)=([\s\S]*)$/.exec(pair) ?? [];
    if (name === '') throw new Error(`--claim: expected name=value, got ${JSON.stringify(pair)}.`);
    const declared = api?.claims ?? {};
    const claim = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (claim === undefined) {
      const hint = didYouMean(name, Object.keys(declared));
      const place = api === undefined ? 'a service without api.yaml has no claims' : 'api.yaml declares no such claim';
      throw new Error(`--claim: ${place}: ${name}${hint}.`);
    }
    if (claims.has(name)) throw new Error(`--claim: ${name} has two values.`);
    const value = claim.type === 'string' ? text : CONVERTERS[claim.type](text);
    if (!isClaimValue(claim, value) || text.length > MAX_LENGTH)
      throw new Error(`--claim: ${name}: expected ${EXPECTED[claim.type]}, got ${JSON.stringify(text)}.`);
    claims.set(name, value);
  }
  return Object.fromEntries(claims);
}

const MAX_LENGTH = 1_000;

const CONVERTERS = {
  integer: (text: string) => (/^-?\d+$/.test(text) ? Number(text) : undefined),
  boolean: (text: string) => ({ true: true, false: false })[text],
};

const EXPECTED = { string: `text of 1 to ${MAX_LENGTH} characters`, integer: 'an integer', boolean: 'true or false' };

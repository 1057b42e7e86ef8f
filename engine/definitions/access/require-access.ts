import { EngineError } from '../../databases/interface/errors.js';
import type { EndpointDefinition } from '../definition.js';
import type { Principal } from '../principal.js';

/** The facts that decide who can read a definition, or write SQL over published tables. */
export interface ProtectedDefinition extends Pick<EndpointDefinition, 'access' | 'tags'> {
  /** Undefined for SQL of callers, which only the scope `*` includes. */
  readonly name: string | undefined;
}

/**
 * Checks that a caller can read a definition. Without `access`, any caller can. Throws `credential_missing` without a caller, and
 * `access_denied` for a caller without any entry of `access`, or an API key without the definition in its scopes.
 */
export function requireAccess(definition: ProtectedDefinition, caller: Principal | undefined): void {
  const { access, name } = definition;
  if (access === undefined || caller?.isProgram) return;
  if (caller === undefined) throw new EngineError('credential_missing', MISSING);
  if (caller.scopes !== undefined && !caller.scopes.some((scope) => includes(scope, definition)))
    throw new EngineError('access_denied', name === undefined ? NEEDS_EVERY_SCOPE : `${NOT_IN_SCOPES} ${name}.`);
  if (access.some((entry) => satisfies(caller, entry))) return;
  throw new EngineError(
    'access_denied',
    `This endpoint needs a caller with ${access.map(describeEntry).join(' or ')}.`,
  );
}

/** Whether a caller can read a definition, for example to list it. */
export function hasAccess(definition: ProtectedDefinition, caller: Principal | undefined): boolean {
  try {
    requireAccess(definition, caller);
    return true;
  } catch {
    return false;
  }
}

/** Returns written access without `public`, which is access for any caller, like no access. */
export function withoutPublic(access: ProtectedDefinition['access']): ProtectedDefinition['access'] {
  return access?.includes('public') ? undefined : access;
}

/** Whether all callers who could read a definition still can after a change of `access`. Undefined and `public` are any caller. */
export function keepsAccess(before: ProtectedDefinition['access'], after: ProtectedDefinition['access']): boolean {
  const needed = withoutPublic(after);
  if (needed === undefined) return true;
  return before?.every((entry) => needed.includes(entry) || needed.includes('signed-in')) === true;
}

const MISSING =
  'This endpoint needs a credential: send an API key in the header X-API-Key, or a token in the header Authorization: Bearer <token>.';

const NOT_IN_SCOPES = 'The scopes of the API key do not include the endpoint';
const NEEDS_EVERY_SCOPE =
  'SQL of callers needs an API key with the scope *, because SQL is not one of the endpoints that other scopes name.';

const ROLE = 'role:';

function satisfies({ roles, scopes }: Principal, entry: string): boolean {
  if (entry === 'key') return scopes !== undefined;
  if (entry.startsWith(ROLE)) return roles.includes(entry.slice(ROLE.length));
  return entry === 'signed-in';
}

function describeEntry(entry: string): string {
  if (entry === 'key') return 'an API key';
  return entry.startsWith(ROLE) ? `the role ${entry.slice(ROLE.length)}` : 'a valid credential';
}

function includes(scope: string, { name, tags }: ProtectedDefinition): boolean {
  return scope === '*' || scope === name || (scope.startsWith('tag:') && tags.includes(scope.slice('tag:'.length)));
}

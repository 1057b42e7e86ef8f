/** Who sent a request, as proved by its credential: a user, a token or an API key. */
export interface Principal {
  /** A text that identifies the principal, such as `user:12`, `key:3f9a01c2`, or the subject of a token. */
  readonly id: string;
  readonly roles: readonly string[];
  /** The claims of a token or of an API key, by name. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** The definitions that an API key can read: names, `tag:` and a tag, or `*`. Undefined for users and tokens, which have no scopes. */
  readonly scopes?: readonly string[];
  /** Whether the program itself sends the request: for tests of definitions, canaries, and answers that it computes again. */
  readonly isProgram?: true;
}

/** A claim that the SQL of definitions can bind as `{{ caller.claims.NAME }}`. */
export interface ClaimDefinition {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description?: string;
  /** The value with which `endpoint test` and `endpoint run` run definitions. */
  readonly example: string | number | boolean;
}

/** The beginning of the names of values of the caller in templates. No parameter can have such a name. */
export const CALLER = 'caller.';

/** The declared claims by name. */
export type ClaimDefinitions = Readonly<Record<string, ClaimDefinition>>;

/** Whether a value has the declared type of a claim. A text must not be empty, and must be a text that databases can store. */
export function isClaimValue(
  { type }: Pick<ClaimDefinition, 'type'>,
  value: unknown,
): value is string | number | boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  return typeof value === 'string' ? type === 'string' && isIdentifying(value) : typeof value === type;
}

/** Whether a text can identify a caller or a tenant. Some collations ignore U+0000, and drivers replace half surrogate pairs. */
export function isIdentifying(text: unknown): text is string {
  return typeof text === 'string' && text !== '' && !/\0|[\uD800-\uDFFF]/u.test(text);
}

import { EngineError } from '../../databases/interface/errors.js';
import type { ParameterDefinition, ParameterValue } from '../definition.js';
import type { ParameterValues } from '../parameters/parameter-values.js';
import { CALLER, type ClaimDefinitions, isClaimValue, isIdentifying, type Principal } from '../principal.js';

const ID = `${CALLER}id`;
const CLAIM = `${CALLER}claims.`;

/** Returns the values of the caller that templates can bind, as parameters by name: `caller.id` and each declared claim. */
export function callerParameters(claims: ClaimDefinitions = {}): Readonly<Record<string, ParameterDefinition>> {
  const value = { in: 'query', description: '' } as const;
  return {
    [ID]: { ...value, type: 'string' },
    ...Object.fromEntries(Object.entries(claims).map(([name, { type }]) => [CLAIM + name, { ...value, type }])),
  };
}

/** Returns the names of values of the caller among the names of bound values. */
export function callerNames(names: Iterable<string>): string[] {
  return [...new Set(names)].filter((name) => name.startsWith(CALLER)).sort();
}

/**
 * Returns the values of the caller with these names, as in `callerParameters`. Throws `access_denied` if the credential does not have a
 * claim, or if its value does not have the declared type: a claim is never NULL.
 */
export function readCallerValues(
  names: readonly string[],
  caller: Principal,
  declared: ClaimDefinitions,
): Record<string, ParameterValue> {
  return Object.fromEntries(
    names.map((name) => [name, name === ID ? readId(caller) : readClaim(name.slice(CLAIM.length), caller, declared)]),
  );
}

function readId({ id }: Principal): string {
  if (isIdentifying(id)) return id;
  throw new EngineError(
    'access_denied',
    'This endpoint needs the id of the caller, which the credential does not have.',
  );
}

function readClaim(name: string, { claims }: Principal, declared: ClaimDefinitions): ParameterValue {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  const definition = declared[name];
  if (value === undefined || definition === undefined)
    throw new EngineError(
      'access_denied',
      `This endpoint needs the claim ${name}, which the credential does not have.`,
    );
  if (isClaimValue(definition, value)) return value;
  const message = `The claim ${name} of the credential is not of the type ${definition.type}, which this endpoint needs.`;
  throw new EngineError('access_denied', message);
}

/** Returns the values without those of the caller. */
export function withoutCaller(values: ParameterValues): ParameterValues {
  const names = Object.keys(values);
  if (!names.some((name) => name.startsWith(CALLER))) return values;
  return Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith(CALLER)));
}

/** Returns the program as a caller that has these values. It passes every access rule. */
export function programWith(values: Readonly<Record<string, unknown>>): Principal {
  const claims = Object.entries(values).flatMap(([name, value]) =>
    name.startsWith(CLAIM) ? [[name.slice(CLAIM.length), value] as const] : [],
  );
  return { id: String(values[ID] ?? PROGRAM), roles: [], claims: Object.fromEntries(claims), isProgram: true };
}

/** The id of the program as a caller, for example in tests of definitions. */
const PROGRAM = 'program';

/** Returns the caller for tests of definitions, with the examples of the declared claims. */
export function exampleCaller(claims: ClaimDefinitions = {}): Principal {
  const examples = Object.entries(claims).map(([name, { example }]) => [name, example]);
  return { id: PROGRAM, roles: [], claims: Object.fromEntries(examples), isProgram: true };
}

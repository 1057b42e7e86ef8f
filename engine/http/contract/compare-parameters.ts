import type { ItemDefinition, ParameterDefinition } from '../../definitions/definition.js';
import { DEFAULT_MAX_LENGTH, validatorOf } from '../../definitions/parameters/parameter-values.js';
import { type Difference, differenceOf, textDifference } from './change.js';
import { type Contract, isRequired } from './contract.js';

type Parameters = Contract['params'];

/** Compares the parameters that a definition declares. */
export function compareParameters(before: Parameters, after: Parameters): Difference[] {
  const renamed = findRenamed(before, after);
  const differences: Difference[] = [];
  for (const [name, old] of Object.entries(before)) {
    const current = parameterOf(after, renamed.get(name) ?? name);
    if (current === undefined) differences.push(REMOVED(name));
    else differences.push(...renamedFrom(name, renamed), ...compareParameter(renamed.get(name) ?? name, old, current));
  }
  const taken = new Set(renamed.values());
  for (const [name, parameter] of Object.entries(after)) {
    if (parameterOf(before, name) === undefined && !taken.has(name)) differences.push(addedOf(name, parameter));
  }
  return differences;
}

const REMOVED = (name: string): Difference => ({
  effect: 'breaking',
  action: 'removed',
  place: `params.${name}`,
  reason: 'requests with this parameter are rejected',
});

function addedOf(name: string, parameter: ParameterDefinition): Difference {
  const required = isRequired(parameter);
  return {
    effect: required ? 'breaking' : 'compatible',
    action: 'added',
    place: `params.${name}`,
    reason: required ? 'requests without this required parameter are rejected' : 'requests need not send it',
  };
}

/** Finds renamed parameters: a removed and an added parameter that differ only in name and texts, if the match is unique. */
function findRenamed(before: Parameters, after: Parameters): ReadonlyMap<string, string> {
  const removed = groupByShape(before, after);
  const added = groupByShape(after, before);
  const pairs = [...removed].flatMap(([shape, [old, ...rivals]]) => {
    const [name, ...others] = added.get(shape) ?? [];
    if (old === undefined || name === undefined || rivals.length + others.length > 0) return [];
    return [[old, name] as const];
  });
  return new Map(pairs);
}

/** Groups the parameters that `others` does not contain. The parameters of a group differ only in name and texts. */
function groupByShape(parameters: Parameters, others: Parameters): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, parameter] of Object.entries(parameters)) {
    if (parameterOf(others, name) !== undefined) continue;
    const shape = shapeOf(parameter);
    groups.set(shape, [...(groups.get(shape) ?? []), name]);
  }
  return groups;
}

function shapeOf({ description: _, example: __, ...shape }: ParameterDefinition): string {
  return JSON.stringify(Object.entries(shape).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function renamedFrom(old: string, renamed: ReadonlyMap<string, string>): Difference[] {
  const name = renamed.get(old);
  if (name === undefined) return [];
  const reason = 'requests with the earlier name are rejected';
  return [{ effect: 'breaking', action: 'renamed', place: `params.${name}`, before: old, after: name, reason }];
}

function compareParameter(name: string, before: ParameterDefinition, after: ParameterDefinition): Difference[] {
  const place = `params.${name}`;
  return [
    ...differenceOf(`${place}.in`, [before.in, after.in], () => ({
      effect: 'breaking',
      reason: 'requests send it at the earlier place',
    })),
    ...compareValues(place, before, after),
    ...compareRequired(place, before, after),
    ...differenceOf(`${place}.notAfter`, [before.notAfter, after.notAfter], (action) =>
      action === 'removed'
        ? { effect: 'compatible', reason: 'more values are accepted' }
        : { effect: 'breaking', reason: 'values after that parameter are rejected' },
    ),
    ...textDifference(`${place}.description`, [before.description, after.description], DOCUMENTATION),
    ...differenceOf(`${place}.example`, [before.example, after.example], () => DOCUMENTATION),
  ];
}

/** The effect of a change that affects only readers of the documentation. */
export const DOCUMENTATION = { effect: 'cosmetic', reason: 'only the documentation changes' } as const;

/** Compares how requests without the parameter are answered: `required` and `default`. */
function compareRequired(place: string, before: ParameterDefinition, after: ParameterDefinition): Difference[] {
  const [wasRequired, required] = [isRequired(before), isRequired(after)];
  if (before.in !== after.in) return [];
  if (wasRequired !== required) {
    return differenceOf(`${place}.required`, [wasRequired, required], () =>
      required
        ? { effect: 'breaking', reason: 'requests without this parameter are rejected' }
        : { effect: 'compatible', reason: 'requests need not send it' },
    );
  }
  return differenceOf(`${place}.default`, [before.default, after.default], () => ({
    effect: 'breaking',
    reason: 'requests without this parameter silently get another answer',
  }));
}

/** Returns the parameter with this name. Names of members that every object has, such as `constructor`, are valid parameter names. */
function parameterOf(parameters: Parameters, name: string): ParameterDefinition | undefined {
  return Object.hasOwn(parameters, name) ? parameters[name] : undefined;
}

type Values = ParameterDefinition | ItemDefinition;

/** Compares the values that a parameter, or an item of its list, accepts. `place` is its key in the definition. */
function compareValues(place: string, before: Values, after: Values): Difference[] {
  const type = differenceOf(`${place}.type`, [before.type, after.type], () =>
    isWider(before, after)
      ? { effect: 'compatible', reason: 'every value that was accepted is still accepted' }
      : { effect: 'breaking', reason: 'values of the earlier type are rejected, or read in another way' },
  );
  if (type.length > 0 && !(before.type === 'integer' && after.type === 'number')) return type;
  if (before.choices !== undefined || after.choices !== undefined) {
    return [...type, ...compareChoices(place, before, after)];
  }
  if (before.enum !== undefined || after.enum !== undefined) return [...type, ...compareEnum(place, before, after)];
  return [
    ...type,
    ...compareFormat(place, before, after),
    ...comparePattern(place, before, after),
    ...compareBounds(place, before, after),
    ...compareItems(place, before, after),
  ];
}

/** Whether the new type accepts all values of the old type: numbers include integers, and text can include numbers and booleans. */
function isWider(before: Values, after: Values): boolean {
  if (before.type === 'integer' && after.type === 'number') return true;
  if (after.type !== 'string' || before.type === 'array') return false;
  const { enum: values, format, pattern, minLength = 1, maxLength = DEFAULT_MAX_LENGTH } = after;
  const isFree = values === undefined && format === undefined && pattern === undefined;
  return isFree && minLength === 1 && maxLength >= LONGEST_NUMBER;
}

/** The number of characters of the longest numbers, such as -2.2250738585072014e-308. */
const LONGEST_NUMBER = 24;

function compareEnum(place: string, before: Values, after: Values): Difference[] {
  const key = `${place}.enum`;
  const { enum: old } = before;
  const { enum: current } = after;
  if (old === undefined) {
    return differenceOf(key, [undefined, current], () => ({
      effect: 'breaking',
      reason: 'only these values are accepted',
    }));
  }
  const isAccepted = validatorOf(after);
  const lost = old.filter((value) => !isAccepted(value));
  const gained = (current ?? []).filter((value) => !old.includes(value));
  const removed = differenceOf(key, [lost.length === 0 ? undefined : lost, undefined], () => ({
    effect: 'breaking',
    reason: 'requests with these values are rejected',
  }));
  const added = differenceOf(key, [undefined, gained.length === 0 ? undefined : gained], () => ({
    effect: 'compatible',
    reason: 'more values are accepted',
  }));
  if (removed.length + added.length > 0) return [...removed, ...added];
  if (current === undefined) {
    return differenceOf(key, [old, undefined], () => ({ effect: 'compatible', reason: 'more values are accepted' }));
  }
  return differenceOf(key, [old, current], () => ({
    effect: 'cosmetic',
    reason: 'the documentation shows the values in another order',
  })).map((difference) => ({ ...difference, action: 'reordered' }));
}

/** Compares queries for the accepted values, whose results are unknown here. */
function compareChoices(place: string, before: Values, after: Values): Difference[] {
  const [old, current] = [before.choices, after.choices];
  const sides = [old?.sql ?? before.enum, current?.sql ?? after.enum] as const;
  const values = differenceOf(`${place}.enum`, sides, (action) => {
    if (action === 'removed') return { effect: 'compatible', reason: 'more values are accepted' };
    const reason =
      action === 'added'
        ? 'only the values that the query returns are accepted'
        : 'it is not known whether each value that was accepted is still accepted';
    return { effect: 'breaking', reason };
  });
  if (old === undefined || current === undefined) return values;
  const refresh = differenceOf(`${place}.enum.refresh`, [`${old.refreshMs} ms`, `${current.refreshMs} ms`], () => ({
    effect: 'compatible',
    reason: 'new values are accepted earlier or later',
  }));
  return [...values, ...refresh];
}

function compareFormat(place: string, before: Values, after: Values): Difference[] {
  return differenceOf(`${place}.format`, [before.format, after.format], (action) =>
    action === 'removed' && validatorOf(after)(A_DAY)
      ? { effect: 'compatible', reason: 'more values are accepted' }
      : { effect: 'breaking', reason: 'values of the earlier format are rejected' },
  );
}

const A_DAY = '2000-01-01';

function comparePattern(place: string, before: Values, after: Values): Difference[] {
  return differenceOf(`${place}.pattern`, [before.pattern, after.pattern], (action) => {
    if (action === 'removed') return { effect: 'compatible', reason: 'more values are accepted' };
    const reason =
      action === 'added'
        ? 'values that do not match it are rejected'
        : 'values that only the earlier pattern matches are rejected; it is not known whether such values exist';
    return { effect: 'breaking', reason };
  });
}

/** The bounds of parameters; `absent` is the default value of a bound. A lower bound is tighter if it is greater. */
const BOUNDS = [
  { key: 'minimum', isLower: true, types: ['integer', 'number'] },
  { key: 'maximum', isLower: false, types: ['integer', 'number'] },
  { key: 'minLength', isLower: true, types: ['string'], absent: 1 },
  { key: 'maxLength', isLower: false, types: ['string'], absent: DEFAULT_MAX_LENGTH },
  { key: 'minItems', isLower: true, types: ['array'], absent: 1 },
  { key: 'maxItems', isLower: false, types: ['array'] },
] as const;

function compareBounds(place: string, before: Values, after: Values): Difference[] {
  if (before.format !== undefined || after.format !== undefined) return [];
  return BOUNDS.filter(({ types }) => types.some((type) => type === after.type)).flatMap((bound) => {
    const [old, current] = [boundOf(bound, before), boundOf(bound, after)];
    const isTighter = bound.isLower ? current > old : current < old;
    const sides = [Number.isFinite(old) ? old : undefined, Number.isFinite(current) ? current : undefined] as const;
    return differenceOf(`${place}.${bound.key}`, sides, () =>
      isTighter
        ? {
            effect: 'breaking',
            reason: `the bound is tighter: values ${bound.isLower ? 'below' : 'above'} it are rejected`,
          }
        : { effect: 'compatible', reason: 'the bound is looser: more values are accepted' },
    );
  });
}

function boundOf({ key, isLower, ...rest }: (typeof BOUNDS)[number], values: Values): number {
  const absent = 'absent' in rest ? rest.absent : isLower ? -Infinity : Infinity;
  const value = (values as ParameterDefinition)[key] ?? absent;
  // Bounds beyond the safe integers count as absent, because integers are always limited to that range.
  return values.type === 'integer' && Math.abs(value) >= Number.MAX_SAFE_INTEGER ? Math.sign(value) * Infinity : value;
}

function compareItems(place: string, before: Values, after: Values): Difference[] {
  if (!('items' in before) || !('items' in after) || before.items === undefined || after.items === undefined) return [];
  return compareValues(`${place}.items`, before.items, after.items);
}

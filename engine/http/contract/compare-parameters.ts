import type { ParameterDefinition } from '../../definitions/definition.js';
import { type Difference, differenceOf, textDifference } from './change.js';
import { compareValues } from './compare-values.js';
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

/** Finds removed parameters that differ from exactly one added parameter only by the name and the texts. */
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

/** Returns the names of the parameters that the other side does not have, by their shape. */
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

/** The effect of a change that readers of the documentation see, but no program. */
export const DOCUMENTATION = { effect: 'cosmetic', reason: 'only the documentation changes' } as const;

/** Compares what happens to a request without the parameter. */
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

/** Returns the parameter with this name. Names of members of every object, such as `constructor`, are valid names. */
function parameterOf(parameters: Parameters, name: string): ParameterDefinition | undefined {
  return Object.hasOwn(parameters, name) ? parameters[name] : undefined;
}

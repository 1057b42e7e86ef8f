import type { EndpointDefinition } from '../../definition/definition.js';
import type { DefinitionSource } from '../../definition/definition-source.js';
import type { Problem } from '../../definition/problem.js';
import { isCalendarDay } from '../../parameters/parameter-schema.js';

/** Checks that the days exist, and that an endpoint does not end before it is deprecated. */
export function checkDeprecation(source: DefinitionSource, definition: EndpointDefinition): Problem[] {
  const problems = DAY_KEYS.flatMap((key) => {
    const day = definition[key];
    if (day === undefined || isCalendarDay(day)) return [];
    return [source.problem([key], 'this day does not exist', { expected: 'a calendar day YYYY-MM-DD', got: day })];
  });
  const { deprecated, sunset } = definition;
  if (problems.length > 0 || sunset === undefined) return problems;
  if (deprecated === undefined) {
    return [source.problem(['sunset'], 'sunset requires deprecated', { at: 'key' })];
  }
  if (sunset >= deprecated) return [];
  const facts = { expected: `${deprecated} or later`, got: sunset };
  return [source.problem(['sunset'], 'the endpoint ends before it is deprecated', facts)];
}

const DAY_KEYS = ['deprecated', 'sunset'] as const;

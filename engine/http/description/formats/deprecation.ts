import type { DescribedOperation } from '../description.js';

/** Returns the members of an operation that state its deprecation. OpenAPI and Swagger have no keyword for the day of its end. */
export function writeDeprecation(deprecation: DescribedOperation['deprecation']): Readonly<Record<string, unknown>> {
  if (deprecation === undefined) return {};
  const { sunset } = deprecation;
  return { deprecated: true, ...(sunset !== undefined && { 'x-sunset': sunset }) };
}

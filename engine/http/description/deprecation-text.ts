import type { EndpointDefinition } from '../../definitions/definition.js';

/** Returns the description of an endpoint for callers. For a deprecated endpoint, the first paragraph states this. */
export function describeDeprecation({
  description,
  deprecated,
  sunset,
}: Pick<EndpointDefinition, 'description' | 'deprecated' | 'sunset'>): string | undefined {
  if (deprecated === undefined) return description;
  const end = sunset === undefined ? '' : ` It may stop working from ${sunset}.`;
  const warning = `Deprecated since ${deprecated}.${end}`;
  return description === undefined ? warning : `${warning}\n\n${description}`;
}

/** Parses a text that `describeDeprecation` wrote. */
export function readDeprecation(text: string | undefined): {
  readonly description: string | undefined;
  readonly deprecated: string | undefined;
  readonly sunset: string | undefined;
} {
  const [all, deprecated, sunset] = WARNING.exec(text ?? '') ?? [];
  const description = all === undefined ? text : text?.slice(all.length) || undefined;
  return { description, deprecated, sunset };
}

const WARNING = /^Deprecated since (\d{4}-\d\d-\d\d)\.(?: It may stop working from (\d{4}-\d\d-\d\d)\.)?(?:\n\n|$)/;

import type { NamedQueryEnvelope } from '../../engine/http/envelopes/query-envelope.js';
import { loadDefinitions } from '../../server/settings/definitions.js';

/** The start of a day, a month and a year. At this time, the current periods contain the fewest data. */
export const FIRST_SECONDS = '2027-01-01T00:00:05Z';

/** Requests the first example of every definition by name. Returns the requests without rows. */
export async function emptyExamples(url: string): Promise<string[]> {
  const empty: string[] = [];
  for (const { definition } of await loadDefinitions({ endpointsDirectory: undefined })) {
    const params = Object.entries(definition.examples[0]?.params ?? {}).map(([name, value]) => [name, String(value)]);
    const target = `/q/${definition.name}?${new URLSearchParams(Object.fromEntries(params))}`;
    const response = await fetch(url + target);
    const { data } = (await response.json()) as NamedQueryEnvelope;
    // The demo data have no gap.
    const isFilled = data.length > 0 || definition.name === 'data-gaps';
    if (response.status !== 200 || !isFilled) empty.push(target);
  }
  return empty;
}

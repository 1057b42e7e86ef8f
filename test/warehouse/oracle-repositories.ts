import type { EventRow } from './oracle-events.js';

/** The events, each of the repository that had its name at the nearest time where it carries no id of its own. */
export function ofRealRepositories(events: readonly EventRow[]): EventRow[] {
  return events.map((event) =>
    event.provisional_repo_id === 0 ? event : { ...event, repo_id: nearestOwner(events, event) ?? event.repo_id },
  );
}

function nearestOwner(events: readonly EventRow[], { repo_name: name, created_at: at }: EventRow): number | undefined {
  const namesakes = events.filter((other) => other.repo_id > 0 && other.repo_name.toLowerCase() === name.toLowerCase());
  const distanceOf = (id: number) => {
    const times = namesakes.filter((other) => other.repo_id === id).map((other) => Date.parse(`${other.created_at}Z`));
    const time = Date.parse(`${at}Z`);
    return Math.max(0, Math.min(...times) - time, time - Math.max(...times));
  };
  const owners = [...new Set(namesakes.map((other) => other.repo_id))];
  return owners.sort((a, b) => distanceOf(a) - distanceOf(b) || b - a)[0];
}

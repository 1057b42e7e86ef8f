import type { EventRow } from './oracle-events.js';

/** Sets the repository id of events without an id. The repository is the one that had the name at the nearest time. */
export function ofRealRepositories(events: readonly EventRow[]): EventRow[] {
  return events.map((event) =>
    event.provisional_repo_id === 0 ? event : { ...event, repo_id: nearestOwner(events, event) ?? event.repo_id },
  );
}

function nearestOwner(events: readonly EventRow[], { repo_name: name, created_at: at }: EventRow): number | undefined {
  const times = new Map<number, number[]>();
  for (const { repo_id: id, repo_name: otherName, created_at: time } of events) {
    if (id === null || id <= 0 || otherName?.toLowerCase() !== name?.toLowerCase()) continue;
    times.set(id, [...(times.get(id) ?? []), Date.parse(`${time}Z`)]);
  }
  const time = Date.parse(`${at}Z`);
  const distances = [...times].map(([id, own]) => ({
    id,
    distance: Math.max(0, Math.min(...own) - time, time - Math.max(...own)),
  }));
  return distances.sort((a, b) => a.distance - b.distance || b.id - a.id)[0]?.id;
}

import type { EventRow } from './oracle-events.js';

/** A use of a name with a real id. */
interface Use {
  readonly name: string | null;
  readonly id: number | null;
  readonly at: string;
}

/** For events without the id of the repository or actor, sets the id that had the name or login at the nearest time. */
export function withRealIds(events: readonly EventRow[]): EventRow[] {
  const repos = events.map((event): Use => ({ name: event.repo_name, id: event.repo_id, at: event.created_at }));
  const users = events.flatMap((event): Use[] => [
    { name: event.actor_login, id: event.actor_id, at: event.created_at },
    { name: event.creator_user_login, id: event.creator_user_id, at: event.created_at },
    { name: event.org_login, id: event.org_id, at: event.created_at },
  ]);
  return events.map((event) => {
    const { repo_name: repo, actor_login: login, created_at: at, provisional_repo_id, provisional_actor_id } = event;
    const repoId = provisional_repo_id === 0 ? event.repo_id : (nearestOwner(repos, repo, at) ?? event.repo_id);
    const actorId = provisional_actor_id === 0 ? event.actor_id : (nearestOwner(users, login, at) ?? event.actor_id);
    return { ...event, repo_id: repoId, actor_id: actorId };
  });
}

function nearestOwner(uses: readonly Use[], name: string | null, at: string): number | undefined {
  const times = new Map<number, number[]>();
  for (const use of uses) {
    if (use.id === null || use.id <= 0 || use.name?.toLowerCase() !== name?.toLowerCase()) continue;
    times.set(use.id, [...(times.get(use.id) ?? []), Date.parse(`${use.at}Z`)]);
  }
  const time = Date.parse(`${at}Z`);
  const distances = [...times].map(([id, own]) => ({
    id,
    distance: Math.max(0, Math.min(...own) - time, time - Math.max(...own)),
  }));
  return distances.sort((a, b) => a.distance - b.distance || b.id - a.id)[0]?.id;
}

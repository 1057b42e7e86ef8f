/** The table of those events in github_events that are in GitHub's feed of a repository, but in no imported file. */
export const REPO_FEED_EVENTS: { readonly name: string; readonly keys: readonly string[] } = {
  name: 'repo_feed_events',
  /** The columns that identify an event. The id alone is not unique. */
  keys: ['created_at', 'id', 'type', 'repo_id', 'actor_id'],
};

/** Whether two rows with an id are the same event. */
export function isSameEventSql(one: string, other: string): string {
  return REPO_FEED_EVENTS.keys.map((key) => `${one}.${key} = ${other}.${key}`).join(' AND ');
}

/** Whether the event in a row of github_events is only known from a feed. */
export function isFeedEventSql(row: string): string {
  return `EXISTS (SELECT 1 FROM ${REPO_FEED_EVENTS.name} f WHERE ${isSameEventSql('f', row)})`;
}

/** A FROM clause with the events of github_events that an imported file contains, and the columns that the coverage needs. */
export function archivedEventsSql(among: string): string {
  return `(
    SELECT e.type, e.event_day, e.created_at
    FROM github_events e
    WHERE ${among} AND NOT ${isFeedEventSql('e')}
  ) archived`;
}

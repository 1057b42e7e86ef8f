/** The table of the events in github_events that no imported file has, but only GitHub's feed of their repository. */
export const REPO_FEED_EVENTS: { readonly name: string; readonly keys: readonly string[] } = {
  name: 'repo_feed_events',
  /** The columns that identify an event. Its id is not enough, because ids repeat. */
  keys: ['created_at', 'id', 'type', 'repo_id', 'actor_id'],
};

/** Whether two rows are the same event with an id. */
export function isSameEventSql(one: string, other: string): string {
  return REPO_FEED_EVENTS.keys.map((key) => `${one}.${key} = ${other}.${key}`).join(' AND ');
}

/** Whether only a feed has the event of a row of github_events. */
export function isFeedEventSql(row: string): string {
  return `EXISTS (SELECT 1 FROM ${REPO_FEED_EVENTS.name} f WHERE ${isSameEventSql('f', row)})`;
}

/** The events of github_events that an imported file has, in the form of a FROM clause, with the columns that the coverage of the data needs. */
export function archivedEventsSql(among: string): string {
  return `(
    SELECT e.type, e.event_day, e.created_at
    FROM github_events e
    WHERE ${among} AND NOT ${isFeedEventSql('e')}
  ) archived`;
}

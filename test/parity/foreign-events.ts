/** Names that databases often handle differently. */
const NAMES = [
  'émile',
  'Emile',
  'EMILE',
  'straße',
  'STRASSE',
  '🦊',
  '🐺',
  '𝒜𝓃𝓃',
  'İstanbul',
  'a_b',
  'aab',
  'aB',
  'ab-',
  'null',
  '0',
  '1e3',
];

/** An id that is too large for an exact JavaScript number and for a 32-bit column. */
const BIG_ID = 9_007_199_254_740_993n;

/**
 * Returns events of the current format. Each account of `NAMES` creates stars, forks, openings and merges in two repositories: one with a
 * plain name and one whose name contains four-byte characters. Ids exceed 2^53. The events are on the days 21 to 24 of a month `YYYY-MM`.
 */
export function foreignEvents(month: string): object[] {
  return ['plain/tool', '🦊/🧰'].flatMap((repository, place) =>
    NAMES.flatMap((login, index) => {
      const actor = { id: largeId(index + 1), login };
      const repo = { id: 900_000 + place, name: repository };
      const at = (second: number) => `${month}-2${1 + (index % 4)}T23:59:5${second}Z`;
      const issue = { id: index + 1, number: 10 * index + 1, user: actor };
      const pull = {
        id: index + 500,
        number: 10 * index + 2,
        user: actor,
        base: { repo: { id: repo.id, full_name: repository } },
      };
      return [
        { id: `${index}1${place}`, type: 'WatchEvent', actor, repo, payload: { action: 'started' }, created_at: at(1) },
        {
          id: `${index}2${place}`,
          type: 'IssuesEvent',
          actor,
          repo,
          payload: { action: 'opened', issue },
          created_at: at(2),
        },
        {
          id: `${index}3${place}`,
          type: 'PullRequestEvent',
          actor,
          repo,
          payload: { action: 'opened', pull_request: pull },
          created_at: at(3),
        },
        {
          id: `${index}4${place}`,
          type: 'PullRequestEvent',
          actor,
          repo,
          payload: { action: 'merged', pull_request: pull },
          created_at: at(4),
        },
        { id: `${index}6${place}`, type: 'PushEvent', actor, repo, payload: {}, created_at: at(6) },
        { id: `${index}5${place}`, type: 'ForkEvent', actor, repo, payload: {}, created_at: at(5) },
      ];
    }),
  );
}

/** Returns an id as text, because `JSON.stringify` rejects a bigint. The importer also reads numbers from text. */
function largeId(offset: number): string {
  return String(BIG_ID + BigInt(offset));
}

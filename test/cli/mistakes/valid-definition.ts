/** A definition without problems, into which the tests introduce mistakes. */
export const VALID = `name: stars-by-day
path: /v1/repos/{owner}/{repo}/stars-by-day/
summary: Stars of a repository by day
params:
  owner: { in: path, type: string, maxLength: 39, description: Owner of the repository, example: amber-ibex }
  repo: { in: path, type: string, maxLength: 100, description: Name of the repository, example: reed-stack }
  from: { in: query, type: string, format: date, default: '2020-01-01', notAfter: to, description: First day }
  to: { in: query, type: string, format: date, default: '2099-01-01', description: Last day }
  sort: { in: query, enum: [day, stars], default: day, description: Order }
  least: { in: query, type: integer, minimum: 0, maximum: 1000, default: 0, description: Least stars of a day }
columns:
  - { col: day, data_type: DATE, nullable: false, description: Day }
  - { col: stars, data_type: BIGINT, nullable: false, description: Stars of the day }
sql: |
  SELECT s.day, COUNT(*) AS stars
  FROM github_repos r
  JOIN mv_repo_stars s ON s.repo_id = r.repo_id
  WHERE r.repo_name_lower = LOWER(CONCAT({{ owner }}, '/', {{ repo }}))
    AND s.day BETWEEN {{ from }} AND {{ to }}
  GROUP BY s.day
  HAVING COUNT(*) >= {{ least }}
  ORDER BY {% case sort %}{% when "day" %}s.day{% when "stars" %}stars DESC, s.day{% endcase %}
data_as_of: SELECT MAX(newest_at) FROM mv_event_coverage WHERE type = 'WatchEvent'
examples:
  - { name: all days, params: { owner: amber-ibex, repo: reed-stack } }
`;

/** A mistake in the definition, and the only problem that must be reported for it. */
export interface Mistake {
  readonly name: string;
  /** Pairs of a text and its replacement. */
  readonly edits: readonly (readonly [string, string])[];
  /** Another definition in the folder, in the file `other.yaml`, which is loaded first. */
  readonly other?: string;
  /** The problem that `endpoint check` reports, as `line:column text`, or that `endpoint test` reports if the check finds none. */
  readonly report: string;
}

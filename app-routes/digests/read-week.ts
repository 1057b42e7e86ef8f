import type { DigestWeek } from '../../accounts/digest-times.js';
import type { Subscription } from '../../accounts/subscriptions.js';
import { addPresentation, type ChartFields, type ChartRow, cellOf } from '../../engine/charts/result-column.js';
import { columnFields, type Endpoint, type Engine } from '../../engine/index.js';

/** What changed in the repositories of a user in a week. */
export interface WeekOfRepositories {
  readonly endpoint: Endpoint;
  readonly fields: ChartFields;
  /** One row per repository. Those with the most new stars are first. */
  readonly rows: readonly ChartRow[];
  /** The notices of the answers, and that their data do not contain the whole week. */
  readonly warnings: readonly string[];
}

/** The definition that a digest shows. */
const DEFINITION = 'changes-of-repositories';
/** The maximum number of repositories in a request for the definition. */
const MAX_REPOSITORIES = 100;

/** Reads the changes in the repositories that a user follows. Throws the errors of the engine. */
export async function readWeek(
  engine: Engine,
  followed: readonly Pick<Subscription, 'repoId' | 'repoName'>[],
  { lastDay }: DigestWeek,
): Promise<WeekOfRepositories> {
  const endpoint = engine.endpoint(DEFINITION);
  const declared = columnFields(endpoint.definition.columns);
  const rows = new Map<string, ChartRow>();
  const warnings = new Set<string>();
  let fields: ChartFields = declared;
  const ids = new Set(followed.map(({ repoId }) => String(repoId)));
  const names = [...new Set(followed.map(({ repoName }) => repoName).filter((name) => name !== ''))];
  for (let first = 0; first < names.length; first += MAX_REPOSITORIES) {
    const query = { repos: names.slice(first, first + MAX_REPOSITORIES), to: lastDay };
    const answer = await engine.run(endpoint, { path: {}, query });
    fields = addPresentation(
      answer.columns.map(({ name, type }) => ({ name, columnType: type })),
      declared,
    );
    for (const cells of answer.rows) {
      const row = Object.fromEntries(answer.columns.map(({ name }, index) => [name, textOf(cells[index])]));
      const id = String(row.repo_id);
      // Several repositories can have the same name, and the user follows only one of them.
      if (ids.has(id)) rows.set(id, row);
    }
    // The user did not write the names in the request.
    const notices = answer.notices.filter((notice) => !notice.includes('`repos`'));
    for (const notice of [...ageWarning(answer.dataAsOf, lastDay), ...notices]) warnings.add(notice);
  }
  const missing = ids.size - rows.size;
  if (missing === 1) warnings.add('One repository that you follow is not in the data.');
  if (missing > 1) warnings.add(`${missing} repositories that you follow are not in the data.`);
  const starsOf = (row: ChartRow) => Number(cellOf(row, 'new_stars') ?? -1);
  const sorted = [...rows.values()].sort((one, other) => starsOf(other) - starsOf(one));
  return { endpoint, fields, rows: sorted, warnings: [...warnings] };
}

/** Warns about data that do not contain the whole week. */
function ageWarning(dataAsOf: Date | undefined, lastDay: string): string[] {
  if (dataAsOf === undefined) return ['The age of the data is unknown.'];
  const newest = dataAsOf.toISOString();
  return newest.slice(0, 10) > lastDay
    ? []
    : [`The data of this service end at ${newest.slice(0, 16).replace('T', ' ')} UTC.`];
}

function textOf(cell: unknown): string | null {
  return cell === null || cell === undefined ? null : String(cell);
}

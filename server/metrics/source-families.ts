import type { SourceStatus } from '../../github/tracking/tracking-progress.js';
import { FOLLOW_STATES } from '../../warehouse/import/follow/follow-progress.js';
import { isoTime } from '../../warehouse/rules/times.js';
import type { RepositoryFollower } from '../background/follow-repositories.js';
import type { FollowedArchive } from '../background/followed-archive.js';
import { type Family, labelled, single } from './family.js';

/**
 * The imported hours of a followed archive, and the counts of the follower in this process. If the archive is not followed, the families
 * have no values.
 */
export function importFamilies(archive: Pick<FollowedArchive, 'progress' | 'follower'>): Family[] {
  const progress = () => archive.progress();
  return [
    single(
      {
        ...{ name: 'repo_insight_import_lag_seconds', type: 'gauge', aggregation: 'max' },
        help: 'Time since the end of the newest imported hour of the followed archive. Just before the archive publishes an hour, about 4,000 is normal.',
      },
      () => {
        const lagMs = progress()?.lagMs ?? undefined;
        return lagMs && lagMs / 1_000;
      },
    ),
    single(
      {
        ...{ name: 'repo_insight_import_missing_hours', type: 'gauge', aggregation: 'max' },
        help: 'Hours of the followed archive that have ended and are not imported.',
      },
      () => progress()?.missingHours ?? undefined,
    ),
    single(
      {
        ...{ name: 'repo_insight_imported_hours_total', type: 'counter' },
        help: 'Hours of the archive that this process has imported since its start.',
      },
      () => archive.follower?.progress().importedHours,
    ),
    single(
      {
        ...{ name: 'repo_insight_imported_events_total', type: 'counter' },
        help: 'Events that this process has imported since its start.',
      },
      () => archive.follower?.counts.events,
    ),
    stateFamily(archive),
    labelled(
      {
        ...{ name: 'repo_insight_import_problems_total', type: 'counter' },
        help: 'Problems of the import by kind: an hour that the archive does not have (`gap`), an hour that could not be read (`failed`), and failures of the database (`error`).',
      },
      'kind',
      () => {
        const { gap, failed, error } = archive.follower?.counts ?? {};
        return { gap, failed, error };
      },
    ),
  ];
}

function stateFamily(archive: Pick<FollowedArchive, 'follower'>): Family {
  return labelled(
    {
      ...{ name: 'repo_insight_follow_state', type: 'gauge', aggregation: 'max' },
      help: '1 for the current state of the follower in this process, 0 for all other states. Without a follower, the metric has no values.',
    },
    'state',
    () => {
      const state = archive.follower?.progress().state;
      return state === undefined ? {} : Object.fromEntries(OWN_STATES.map((name) => [name, name === state ? 1 : 0]));
    },
  );
}

const OWN_STATES = FOLLOW_STATES.filter((state) => state !== 'external');

/** The state of the tracked repositories after the last run in this process. Without a follower, the families have no values. */
export function trackingFamilies(
  follower: Pick<RepositoryFollower, 'report'> | undefined,
  clock: () => Date,
): Family[] {
  const bySource = (numberOf: (source: SourceStatus) => number | undefined) => () =>
    Object.fromEntries((follower?.report.status?.sources ?? []).map((source) => [source.source, numberOf(source)]));
  return [
    single(
      {
        ...{ name: 'repo_insight_tracked_repositories', type: 'gauge', aggregation: 'max' },
        help: 'Tracked repositories.',
      },
      () => follower?.report.status?.repositories,
    ),
    labelled(
      {
        ...{ name: 'repo_insight_tracked_sources_due', type: 'gauge', aggregation: 'max' },
        help: 'Tracked repositories whose source was still due after the last run.',
      },
      'source',
      bySource(({ due }) => due),
    ),
    labelled(
      {
        ...{ name: 'repo_insight_tracked_sources_failing', type: 'gauge', aggregation: 'max' },
        help: 'Tracked repositories whose source could not be read at the last attempt.',
      },
      'source',
      bySource(({ failing }) => failing),
    ),
    labelled(
      {
        ...{ name: 'repo_insight_tracked_sources_age_seconds', type: 'gauge', aggregation: 'max' },
        help: 'Age of the least recent successful read, among the repositories whose source was read to its end. About 20,500 is normal for `stars`, `events` and `issues`, and 87,000 for `repository`.',
      },
      'source',
      bySource(({ oldest }) =>
        oldest === null ? undefined : (clock().getTime() - Date.parse(isoTime(oldest))) / 1_000,
      ),
    ),
    labelled(
      {
        ...{ name: 'repo_insight_archive_event_share', type: 'gauge', aggregation: 'max' },
        help: 'Share of the stars, issues and pull requests of tracked repositories on GitHub that the archive contains, in the newest month that was compared. 1 means complete.',
      },
      'type',
      () => Object.fromEntries((follower?.report.status?.shares ?? []).map(({ type, share }) => [type, share])),
    ),
    single(
      {
        ...{ name: 'repo_insight_tracking_requests_total', type: 'counter' },
        help: 'Requests to GitHub for tracked repositories since the start of this process.',
      },
      () => follower?.report.requests,
    ),
    labelled(
      {
        ...{ name: 'repo_insight_github_requests_left', type: 'gauge', aggregation: 'min' },
        help: 'Remaining requests of each token of GITHUB_TOKEN after the last run for tracked repositories. The label is the position of the token in the list. GitHub resets the limit every hour.',
      },
      'token',
      () =>
        Object.fromEntries(
          (follower?.report.status?.requestsLeft ?? []).map((left, index) => [index + 1, left ?? undefined]),
        ),
    ),
  ];
}

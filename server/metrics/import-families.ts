import type { ArchiveFollower } from '../background/follow-archive.js';
import { type Family, labelled, single } from './family.js';

/** What a follower of the archive imported. Without a follower, the families have no values. */
export function importFamilies(follower: Pick<ArchiveFollower, 'progress' | 'counts'> | undefined): Family[] {
  const progress = () => follower?.progress();
  return [
    single(
      {
        ...{ name: 'repo_insight_import_lag_seconds', type: 'gauge', aggregation: 'max' },
        help: 'Time since the end of the newest hour before which no hour is missing. Just before the archive publishes an hour, about 3,700 is normal.',
      },
      () => {
        const lagMs = progress()?.lagMs ?? undefined;
        return lagMs && lagMs / 1_000;
      },
    ),
    single(
      {
        ...{ name: 'repo_insight_import_missing_hours', type: 'gauge', aggregation: 'max' },
        help: 'Hours of the archive that have ended and are not imported.',
      },
      () => progress()?.missingHours ?? undefined,
    ),
    single(
      {
        ...{ name: 'repo_insight_imported_hours_total', type: 'counter' },
        help: 'Hours of the archive that this process has imported since its start.',
      },
      () => progress()?.importedHours,
    ),
    single(
      {
        ...{ name: 'repo_insight_imported_events_total', type: 'counter' },
        help: 'Events that this process has imported since its start.',
      },
      () => follower?.counts.events,
    ),
    labelled(
      {
        ...{ name: 'repo_insight_import_problems_total', type: 'counter' },
        help: 'Problems of the import: an hour that the archive does not have (`gap`), an hour that could not be read (`failed`), and failures of the database (`error`).',
      },
      'kind',
      () => {
        const { gap, failed, error } = follower?.counts ?? {};
        return { gap, failed, error };
      },
    ),
  ];
}

import { Mutex } from '../../../engine/databases/mutex.js';
import { ARCHIVE_URL, archivesOf } from '../files/archive-hours.js';
import type { FollowEvent, FollowOptions } from './follow-options.js';
import { Follower } from './follower.js';

/** An event of a follower, with its archive if several archives are followed. */
export type ArchiveEvent = FollowEvent & { readonly archive?: string };

export interface FollowersOptions extends Omit<FollowOptions, 'archive' | 'imports' | 'onEvent'> {
  readonly onEvent?: (event: ArchiveEvent) => void;
}

/**
 * Creates a follower for each archive in the setting, so that a slow or failing archive delays no other one. An event in several archives
 * is stored only once. Only missing hours of the first archive are problems, because the other archives may have begun later.
 */
export function createFollowers(options: FollowersOptions): [Follower, ...Follower[]] {
  const { importing, onEvent } = options;
  const archives = archivesOf(importing.archiveUrl ?? ARCHIVE_URL);
  const imports = new Mutex();
  const [first, ...rest] = archives.map((archive, index) => {
    const others = archives.filter((one) => one !== archive);
    return new Follower({
      ...options,
      importing: { ...importing, archiveUrl: archive },
      archive: { archive, others, isFirst: index === 0 },
      imports,
      onEvent: (event) => onEvent?.(others.length === 0 ? event : { ...event, archive }),
    });
  });
  return [first as Follower, ...rest];
}

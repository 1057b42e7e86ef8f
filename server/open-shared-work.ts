import { followArchive } from './background/follow-archive.js';
import { createRepositoryFollower } from './background/follow-repositories.js';
import { FollowedArchive } from './background/followed-archive.js';
import { SharedWork, type SharedWorkStatus } from './background/shared-work.js';
import { importFolders } from './databases/warehouse.js';
import { createAnyGitHubClient } from './github-client.js';
import type { ApplicationParts } from './service-parts.js';

/** The role of this process for the work that only one process of a service does. */
interface SharedRole {
  readonly doesSharedWork?: boolean;
  readonly reportStatus?: ((status: SharedWorkStatus) => void) | undefined;
}

/** Creates the shared work, and starts it if this process is responsible for it. */
export async function openSharedWork(
  parts: Pick<ApplicationParts, 'settings' | 'warehouse' | 'engine' | 'timeouts' | 'clock' | 'systemClock' | 'logger'>,
  { doesSharedWork = true, reportStatus }: SharedRole,
) {
  const { settings, warehouse } = parts;
  const folders = importFolders(settings);
  const onChange = () => reportStatus?.(sharedWork.status());
  const common = { ...parts, store: warehouse.store, onChange };
  const follower = followArchive({ ...common, folders });
  const archive = new FollowedArchive({ ...parts, ...warehouse, follower });
  const createGitHub = (onNotice: (message: string) => void) => createAnyGitHubClient(settings, 0, onNotice);
  const repositories = createRepositoryFollower({ ...common, ...folders, createGitHub });
  const { database, state } = warehouse;
  const startDigests =
    settings.smtpUrl === undefined || state === undefined
      ? undefined
      : async () => (await import('./digests/digest-work.js')).startDigests({ ...parts, database, state });
  const sharedWork: SharedWork = new SharedWork({ ...parts, archive, repositories, startDigests });
  if (doesSharedWork) {
    await archive.prepare();
    await sharedWork.start();
  }
  return { archive, repositories, sharedWork };
}

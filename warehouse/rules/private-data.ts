import type { PrivateData } from '../../engine/index.js';

/** What no definition may read: the service's own state, such as users, sessions and the log of changes, and personal columns. */
export const PRIVATE_DATA: PrivateData = {
  isPrivateTable: (table) => table.startsWith('sys_'),
  columns: { github_users: ['email'] },
};

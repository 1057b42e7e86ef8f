import type { PrivateData } from '../../engine/index.js';

/** The data that definitions must not read: the state of the service, such as users, sessions, questions and the audit log, and personal columns. */
export const PRIVATE_DATA: PrivateData = {
  isPrivateTable: (table) => table.startsWith('sys_') || table.startsWith('explorer_'),
  columns: { github_users: ['email'] },
};

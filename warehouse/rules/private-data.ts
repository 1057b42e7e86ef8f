import type { PrivateData } from '../../engine/index.js';

/**
 * The data that definitions must not read: the state of the service (users, sessions, questions, the audit log), and columns with personal
 * data.
 */
export const PRIVATE_DATA: PrivateData = {
  isPrivateTable: (table) => table.startsWith('sys_') || table.startsWith('explorer_'),
  columns: { github_users: ['email'] },
};

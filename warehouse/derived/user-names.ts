import type { ComputedTable } from './derived-table.js';
import { NAME_TIERS_SQL } from './name-tiers.js';

/** By which login an account that is not deleted is found, in lower case. */
export const userNames: ComputedTable = {
  name: 'mv_user_names',
  columns: ['is_organization', 'tier', 'name', 'id', 'login', 'followers'],
  key: 'id',
  select: (among) => `
    SELECT CASE WHEN u.type = 'Organization' THEN 1 ELSE 0 END, t.tier, LOWER(u.login), u.id, u.login, u.followers
    FROM github_users u
    JOIN ${NAME_TIERS_SQL} t ON u.followers >= t.tier
    WHERE u.is_deleted = 0 AND u.login <> '' AND ${among}`,
};

import type { ComputedTable } from '../schema/derived-table.js';
import { NAME_TIERS_SQL } from './name-tiers.js';

/**
 * For each account that is not deleted, one row per tier (see `NAME_TIERS`). A search finds the account by `name`, its login in lower case.
 */
export const userNames: ComputedTable = {
  name: 'mv_user_names',
  columns: ['is_organization', 'tier', 'name', 'id', 'login', 'followers'],
  key: 'id',
  select: (among) => `
    SELECT u.is_organization, t.tier, u.name, u.id, u.login, u.followers
    FROM (
      SELECT id, login, LOWER(login) AS name, followers, CASE WHEN type = 'Organization' THEN 1 ELSE 0 END AS is_organization
      FROM github_users
      WHERE is_deleted = 0 AND login <> '' AND ${among}
    ) u
    JOIN ${NAME_TIERS_SQL} t ON u.followers >= t.tier
    ORDER BY u.is_organization, t.tier, u.name, u.id`,
};

import { appendRow } from '../../../engine/databases/duckdb/connection/append-row.js';
import type { Tables } from '../../store/store.js';
import { ACCOUNTS, tablesOf } from '../staging/named-kind.js';
import { GATHERED_USERS, TYPE_LIST } from './gather-users.js';
import { mergeUsers, USER_MERGING_TABLES } from './merge-users.js';

/** An account in a list from GitHub. */
export interface ListedAccount {
  readonly id: number;
  readonly login: string;
  /** `User`, `Bot` or `Organization`; empty if unknown. */
  readonly type: string;
}

/**
 * Adds the accounts that github_users does not have, and updates the login and the type of the known accounts. `seenAt` is the time of the
 * list, `YYYY-MM-DD HH:MM:SS`. Also loads the accounts of `others`, a SELECT of ids on the staging database, for later steps of the
 * transaction.
 */
export async function addAccounts(
  tables: Tables,
  accounts: readonly ListedAccount[],
  seenAt: string,
  others: string,
): Promise<void> {
  const { staging } = tables;
  if (accounts.length === 0) return tables.loadRows('github_users', 'id', others);
  await staging.run(STAGE);
  const appender = await staging.createAppender('listed_accounts');
  for (const { id, login, type } of accounts) appendRow(appender, [id, login, type]);
  appender.closeSync();
  await staging.run(GATHER, [seenAt]);
  await mergeUsers(tables, others);
  await staging.run(TEMPORARY_TABLES.map((table) => `DROP TABLE ${table}`).join('; '));
}

const { sourceTargets, changed } = tablesOf(ACCOUNTS);

/** The table is empty, because this step resolves no provisional account. */
const STAGE = `
  CREATE OR REPLACE TEMP TABLE ${sourceTargets} AS SELECT 0::BIGINT AS id, 0::BIGINT AS target_id LIMIT 0;
  CREATE OR REPLACE TEMP TABLE ${changed} AS SELECT 0::BIGINT AS id LIMIT 0;
  CREATE OR REPLACE TEMP TABLE listed_accounts (id BIGINT, login VARCHAR, type VARCHAR)`;

const GATHER = `
  CREATE OR REPLACE TEMP TABLE ${GATHERED_USERS} AS
  SELECT
    id,
    left(login, 40) AS login,
    $1::TIMESTAMP AS updated_at,
    list_position(${TYPE_LIST}, type) AS type_rank,
    NULL::TIMESTAMP AS refreshed_at,
    NULL::STRUCT(name VARCHAR, email VARCHAR, organization VARCHAR, address VARCHAR) AS details
  FROM listed_accounts`;

const TEMPORARY_TABLES = ['listed_accounts', sourceTargets, changed, GATHERED_USERS, ...USER_MERGING_TABLES];

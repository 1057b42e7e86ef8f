/** A person, bot or organization. Unknown fields are null. */
export interface AccountRecord {
  readonly id: number;
  readonly login: string;
  /** `User`, `Organization`, `Bot` or null. */
  readonly type: string | null;
  readonly name: string | null;
  readonly company: string | null;
  readonly location: string | null;
  readonly avatar_url: string | null;
  readonly followers: number | null;
  readonly following: number | null;
  readonly public_repos: number | null;
  /** `YYYY-MM-DDTHH:MM:SSZ`, like every time in these records. */
  readonly created_at: string | null;
  /** Absent if GitHub did not send it. */
  readonly html_url?: string;
}

/** A license, with the members that the source contains. */
export interface LicenseRecord {
  /** For example `mit`; `other` for a license that GitHub does not recognize. */
  readonly key: string;
  readonly name?: string;
  /** For example `MIT`; `NOASSERTION` for a license that GitHub does not recognize. */
  readonly spdx_id: string | null;
  readonly url?: string | null;
}

export interface RepositoryRecord {
  readonly id: number;
  /** `owner/name` */
  readonly full_name: string;
  readonly name: string;
  readonly owner: Pick<AccountRecord, 'login' | 'type' | 'avatar_url'> & { readonly id: number | null };
  readonly description: string | null;
  readonly language: string | null;
  readonly forks: number | null;
  readonly stargazers_count: number | null;
  readonly open_issues: number | null;
  readonly subscribers_count: number | null;
  readonly license: LicenseRecord | null;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly pushed_at: string | null;
  /** `html_url` and the following members are absent if the source does not contain them. */
  readonly html_url?: string;
  readonly default_branch?: string;
  readonly topics?: readonly string[];
}

/** A repository in a search result. Fields that a search does not return need another request. */
export interface FoundRepository {
  readonly id: number;
  readonly fullName: string;
  /** Null if the source does not contain it. */
  readonly defaultBranchRef: { readonly name: string } | null;
}

export interface FoundAccount {
  readonly id: number;
  readonly login: string;
}

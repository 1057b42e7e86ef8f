/** Returns the path of the page of a repository, `owner/name`. */
export function repositoryPath(fullName: string): string {
  const [owner = '', name = ''] = fullName.split('/');
  return `/p/repositories/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
}

export function personPath(login: string): string {
  return `/p/people/${encodeURIComponent(login)}`;
}

/** Returns the path of the page with the repositories of an organization. */
export function ownerPath(login: string): string {
  return `/p/owners/${encodeURIComponent(login)}`;
}

export function collectionPath(id: number | string): string {
  return `/p/collections/${encodeURIComponent(id)}`;
}

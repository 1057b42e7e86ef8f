import { fileURLToPath } from 'node:url';

/** A folder with few endpoints. A process with them starts faster. */
export const FEW_ENDPOINTS = folderOf('collections');
/** The folder of the endpoint `list-trending-repos`. */
export const TRENDS = folderOf('trends');
/** The folder of the endpoints about the stars of a repository. */
export const STARGAZERS = folderOf('repos/stargazers');
/** The folder of the endpoints about the pull requests of a repository. */
export const PULL_REQUEST_CREATORS = folderOf('repos/pull-request-creators');
/** The folder of the endpoints about the issues of a repository. */
export const ISSUE_CREATORS = folderOf('repos/issue-creators');

function folderOf(name: string): string {
  return fileURLToPath(new URL(`../../../endpoints/${name}`, import.meta.url));
}

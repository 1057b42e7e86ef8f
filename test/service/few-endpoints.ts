import { fileURLToPath } from 'node:url';

/** A folder with few endpoints. A process with them starts faster. */
export const FEW_ENDPOINTS = folderOf('collections');
/** The folder of the endpoint `list-trending-repos`. */
export const TRENDS = folderOf('trends');

function folderOf(name: string): string {
  return fileURLToPath(new URL(`../../../endpoints/${name}`, import.meta.url));
}

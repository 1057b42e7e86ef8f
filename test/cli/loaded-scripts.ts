import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the URLs of the scripts that a process loaded, from the folder of its coverage report (`NODE_V8_COVERAGE`). */
export async function readScripts(coverage: string): Promise<readonly string[]> {
  const [file = ''] = await readdir(coverage);
  const { result } = JSON.parse(await readFile(join(coverage, file), 'utf8')) as { result: { url: string }[] };
  return result.map(({ url }) => url);
}

/** Returns the names of the packages with these scripts. */
export function packagesOf(urls: readonly string[]): readonly string[] {
  return [...new Set(urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []))];
}

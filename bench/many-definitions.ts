import { cp, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DEFINITIONS_FOLDER } from '../engine/http/package-root.js';
import { loadDefinitions } from '../server/settings/definitions.js';

/** Writes the definitions of the service to a new folder, and adds copies with other names and paths until there are `count`. */
export async function writeDefinitions(folder: string, count: number): Promise<void> {
  await cp(DEFINITIONS_FOLDER, folder, { recursive: true });
  const originals = await loadDefinitions({ endpointsDirectory: folder });
  for (let index = originals.length; index < count; index += 1) {
    const { file, definition } = originals[index % originals.length] ?? {};
    if (file === undefined || definition === undefined) throw new Error('no definitions to copy');
    const text = await readFile(file, 'utf8');
    const copy = text.replace(/^name: .*$/m, `name: ${definition.name}-${index}`).replace('/v1/', `/v1/copy-${index}/`);
    // The copy is in the folder of the original, because the paths of shared files are relative.
    await writeFile(join(dirname(file), `${index}-${basename(file)}`), copy);
  }
}

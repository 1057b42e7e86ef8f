import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DEFINITIONS_FOLDER } from '../../engine/http/package-root.js';
import { combineVocabularies, type Vocabulary } from '../../explorer/catalogue/language/vocabulary.js';
import { definitionFolders, type FolderSettings } from './definition-folders.js';
import { readMapping } from './read-api-folder.js';

/**
 * Reads the words of questions: those of the GitHub service, and those in the `vocabulary.yaml` of each folder of definitions. Throws an Error
 * with all problems of a file.
 */
export async function readVocabulary(settings: FolderSettings): Promise<Vocabulary> {
  const folders = new Set([DEFINITIONS_FOLDER, ...definitionFolders(settings)]);
  const files = [...folders].map((folder) => join(folder, 'vocabulary.yaml'));
  const found = files.filter((file) => existsSync(file));
  return combineVocabularies(await Promise.all(found.map(readFileOf)));
}

async function readFileOf(file: string): Promise<Partial<Vocabulary>> {
  const vocabulary = await readMapping<Partial<Vocabulary>>(file, 'vocabulary.schema.json');
  for (const { values } of vocabulary.orders ?? []) {
    try {
      new RegExp(values);
    } catch (error) {
      throw new Error(`${file}: orders: expected a regular expression, got ${JSON.stringify(values)}`, {
        cause: error,
      });
    }
  }
  return vocabulary;
}

import { didYouMean } from '../sql/did-you-mean.js';
import type { DefinitionPath, DefinitionSource } from './definition-source.js';
import type { Problem } from './problem.js';
import { partOf, partsOf, type SharedFile, type SharedKind } from './shared-file.js';

/** A named part of a shared file. */
export interface SharedPart {
  readonly value: unknown;
  readonly source: DefinitionSource;
  readonly path: DefinitionPath;
}

/** The result of a search by name: a part, the problems of the part, or the reason why the part does not exist. */
export type FoundPart =
  | { readonly part: SharedPart }
  /**
   * The problems are empty if the part may be in a file that cannot be read: the unreadable file is reported already.
   */
  | { readonly problems: readonly Problem[] }
  | { readonly message: string };

/** Finds a part in the files that a definition lists, and marks it as used. */
export function findPart(files: readonly SharedFile[], kind: SharedKind, name: string): FoundPart {
  for (const file of files) {
    const found = partOf(file, kind, name);
    if (found === undefined || file.source === undefined) continue;
    const key = found.path.join('.');
    file.used.add(key);
    const problems = file.problems.filter((problem) => problem.key === key || problem.key.startsWith(`${key}.`));
    return problems.length > 0 ? { problems } : { part: { ...found, source: file.source } };
  }
  if (files.some(({ source }) => source === undefined)) return { problems: [] };
  const known = namesOf(files, kind);
  const hint = known.length === 0 ? ': add its file to "shared"' : didYouMean(name, known);
  return { message: `unknown shared ${WORDS[kind]} "${name}"${hint}` };
}

/** Finds parts with the same kind and name in two files. Returns the index of the later file and a message. */
export function findRepeatedParts(
  files: readonly SharedFile[],
): { readonly index: number; readonly message: string }[] {
  const seen = new Map<string, string>();
  return files.flatMap((file, index) =>
    partsOf(file).flatMap((path) => {
      const key = path.join('.');
      const other = seen.get(key);
      if (other === undefined) seen.set(key, file.file);
      return other === undefined ? [] : [{ index, message: `${key} is also in ${other}` }];
    }),
  );
}

const WORDS: Readonly<Record<SharedKind, string>> = {
  params: 'parameter',
  columns: 'group of columns',
  notices: 'notice',
  views: 'view',
};

function namesOf(files: readonly SharedFile[], kind: SharedKind): string[] {
  return files.flatMap((file) => partsOf(file).flatMap(([one, name]) => (one === kind ? [name] : [])));
}

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { DefinitionLoader, isDefinitionFile, type LoadedEndpoints } from '../../../../../engine/index.js';
import { PRIVATE_DATA } from '../../../../../warehouse/rules/private-data.js';
import { checkRef, findPrefix, type GitOptions, readFiles, resolveRef } from './git.js';

/** The definitions of a commit. */
export interface GitDefinitions {
  readonly loaded: LoadedEndpoints;
  /** The ids of the commits, one per repository. */
  readonly commits: readonly string[];
  /** What the comparison does not contain. */
  readonly notes: readonly string[];
}

/**
 * Loads the definitions of folders as they were at a revision. Shared files can be anywhere in the repository. A folder that is in
 * no repository, or that git ignores, is loaded as it is now.
 */
export async function readGitDefinitions(
  ref: string,
  folders: readonly string[],
  options: Omit<GitOptions, 'folder'>,
): Promise<GitDefinitions> {
  checkRef(ref);
  const copy = await mkdtemp(join(tmpdir(), 'repo-insight-diff-'));
  try {
    const [earlier, notes, commits]: [string[], string[], string[]] = [[], [], []];
    for (const [index, folder] of folders.entries()) {
      const target = join(copy, String(index));
      const state = await copyFolder(ref, target, { ...options, folder });
      notes.push(...state.notes);
      if (state.commit !== undefined) commits.push(state.commit);
      earlier.push(state.folder);
    }
    if (commits.length === 0) {
      throw new Error(
        `${ref} is neither a file, a folder nor a URL, and ${folders.join(', ')} is in no git repository`,
      );
    }
    const loaded = await new DefinitionLoader(earlier, PRIVATE_DATA).load();
    return { loaded: withoutCopy(loaded, copy, ref), commits: [...new Set(commits)], notes };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

interface FolderState {
  readonly folder: string;
  readonly commit?: string;
  readonly notes: readonly string[];
}

async function copyFolder(ref: string, target: string, options: GitOptions): Promise<FolderState> {
  const { folder } = options;
  const found = await findPrefix(options);
  if (found === undefined) {
    return { folder, notes: [`${folder} is in no git repository, or ignored: it is compared with itself`] };
  }
  const { top, prefix } = found;
  const commit = await resolveRef(options, ref);
  const notes: string[] = [];
  const isInside = (path: string) => path.startsWith(prefix) && isVisible(path.slice(prefix.length));
  const isWanted = (path: string) => isDefinitionFile(basename(path)) && (isInside(path) || SHARED_FILE.test(path));
  const onLink = (path: string) => notes.push(`${path} is a link at ${ref}: links in git are not followed`);
  const files = await readFiles({ ...options, folder: top }, commit, isWanted, onLink);
  for (const { path, content } of files) {
    const file = resolve(target, path);
    if (!file.startsWith(target + sep)) throw new Error(`unexpected path in git: ${JSON.stringify(path)}`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  const earlier = join(target, prefix);
  await mkdir(earlier, { recursive: true });
  if (!files.some(({ path }) => isInside(path))) notes.push(`${folder} has no definitions at ${ref}`);
  return { folder: earlier, commit, notes };
}

const SHARED_FILE = /\.shared\.(ya?ml|json)$/;

/** The engine does not read folders whose names start with a dot. */
function isVisible(path: string): boolean {
  return path.split('/').every((name) => !name.startsWith('.'));
}

/** Replaces the paths of the copy in problems with paths in the revision. */
function withoutCopy(loaded: LoadedEndpoints, copy: string, ref: string): LoadedEndpoints {
  const broken = loaded.broken.map((one) => ({
    ...one,
    problems: one.problems.map((problem) => ({ ...problem, file: inRevision(problem.file, copy, ref) })),
  }));
  return { ...loaded, broken };
}

function inRevision(file: string, copy: string, ref: string): string {
  if (!file.startsWith(copy + sep)) return file;
  const [, ...steps] = file.slice(copy.length + 1).split(sep);
  return `${ref}:${steps.join('/')}`;
}

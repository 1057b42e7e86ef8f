import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { isDefinitionFile, type LoadedEndpoints } from '../../../../engine/index.js';
import { definitionFolders, type FolderSettings } from '../../../../server/settings/definition-folders.js';
import { createDefinitionLoader } from '../../../../server/settings/definitions.js';

/** The definitions of a commit. */
export interface GitDefinitions {
  readonly loaded: LoadedEndpoints;
  /** The ids of the commits, one per repository. */
  readonly commits: readonly string[];
  /** Notes about parts that the comparison does not include. */
  readonly notes: readonly string[];
}

/**
 * Loads the definitions in the folders of the settings at a git revision. Shared files can be anywhere in the repository. A folder that is not in a repository,
 * or that git ignores, is loaded in its current state.
 */
export async function readGitDefinitions(
  ref: string,
  settings: FolderSettings,
  options: Omit<GitOptions, 'folder'>,
): Promise<GitDefinitions> {
  checkRef(ref);
  const folders = definitionFolders(settings);
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
    const loaded = await createDefinitionLoader(settings, earlier).load();
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

/** Whether the engine reads a path: it ignores folders whose names start with a dot. */
function isVisible(path: string): boolean {
  return path.split('/').every((name) => !name.startsWith('.'));
}

/** In problems, replaces the paths of the temporary copy by paths in the revision. */
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

/** The working directory and environment of git. */
interface GitOptions {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** A file as it was in an earlier commit. Its path is relative to the root of the repository. */
interface GitFile {
  readonly path: string;
  readonly content: Buffer;
}

/** Throws if the text is not a valid git revision. Options, ranges and paths in a revision are rejected. */
function checkRef(ref: string): void {
  if (/^[^\s\p{C}:?*[\\-][^\s\p{C}:?*[\\]*$/u.test(ref) && ref.length <= MAX_REF && !ref.includes('..')) return;
  throw new Error(
    `expected a git revision such as main, v1.2.0 or HEAD~1, got ${JSON.stringify(ref.slice(0, MAX_REF))}`,
  );
}

const MAX_REF = 250;

/** Returns the path of a folder relative to the root of its repository; undefined if it is not in a repository or is ignored. */
async function findPrefix(options: GitOptions): Promise<{ top: string; prefix: string } | undefined> {
  const found = await git(options, ['rev-parse', '--show-toplevel', '--show-prefix']).catch((error: Error) => {
    // Git also fails if another user owns the repository. This failure is not hidden, because git's message contains the solution.
    if (!error.message.includes('not a git repository')) throw error;
  });
  if (found === undefined) return undefined;
  const isIgnored = await git(options, ['check-ignore', '--quiet', '.']).then(
    () => true,
    () => false,
  );
  const [top = '', prefix = ''] = found.toString().split('\n');
  return isIgnored ? undefined : { top, prefix };
}

/** Returns the id of the commit for a revision. Throws if the revision does not exist. */
async function resolveRef(options: GitOptions, ref: string): Promise<string> {
  const id = await git(options, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]).catch(notFound);
  if (id === undefined) {
    throw new Error(
      `${ref} is neither a URL, a file, a folder nor a revision of the git repository of ${options.folder}`,
    );
  }
  return id.toString().trim();
}

/** Reads those files of a commit whose paths are wanted. Links are not followed; `onLink` is called with their paths. */
async function readFiles(
  options: GitOptions,
  commit: string,
  isWanted: (path: string) => boolean,
  onLink: (path: string) => void,
): Promise<GitFile[]> {
  const listed = await git(options, ['ls-tree', '-r', '-z', '--full-tree', commit]);
  const entries = listed
    .toString()
    .split('\0')
    .flatMap((line) => {
      const [, mode, type, id = '', path = ''] = /^(\d+) (\w+) (\w+)\t(.*)$/s.exec(line) ?? [];
      if (type !== 'blob' || !isWanted(path)) return [];
      if (mode === LINK_MODE) onLink(path);
      return mode === LINK_MODE ? [] : [{ id, path }];
    });
  if (entries.length === 0) return [];
  const ids = entries.map(({ id }) => `${id}\n`).join('');
  const contents = splitBatch(await git(options, ['cat-file', '--batch'], ids));
  return entries.map(({ path }, index) => ({ path, content: contents[index] ?? Buffer.alloc(0) }));
}

const LINK_MODE = '120000';

/** Splits the output of `cat-file --batch`: for each object a line `<id> <type> <bytes>`, its content and a line break. */
function splitBatch(output: Buffer): Buffer[] {
  const contents: Buffer[] = [];
  let start = 0;
  while (start < output.length) {
    const end = output.indexOf('\n', start);
    const bytes = Number(output.toString('latin1', start, end).split(' ')[2]);
    if (end < 0 || !Number.isSafeInteger(bytes)) throw new Error('git returned an unexpected list of files');
    contents.push(output.subarray(end + 1, end + 1 + bytes));
    start = end + 1 + bytes + 1;
  }
  return contents;
}

/** Runs git without a shell. Variables such as GIT_DIR are removed: git hooks set them, and they would select another repository. */
function git(options: GitOptions, words: readonly string[], input = ''): Promise<Buffer> {
  const { folder, environment, signal } = options;
  const own = Object.entries(environment).filter(([name]) => !name.startsWith('GIT_'));
  const env = { ...Object.fromEntries(own), LC_ALL: 'C' };
  return new Promise((resolve, reject) => {
    const limits = { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES, encoding: 'buffer' as const };
    const child = execFile('git', ['-C', folder, ...words], { env, signal, ...limits }, (error, stdout) => {
      if (error === null) resolve(stdout);
      else
        reject(
          isMissing(error) ? new Error('git is not installed, so only files, folders and URLs can be compared') : error,
        );
    });
    // Git can exit before it has read its input. The exit code of git then reports the error.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

function isMissing(error: { readonly code?: unknown; readonly syscall?: unknown }): boolean {
  return error.code === 'ENOENT' && String(error.syscall).startsWith('spawn');
}

/** Returns undefined for an exit code of git that means "not found"; throws other errors. */
function notFound(error: { readonly code?: unknown }): undefined {
  if (typeof error.code === 'number') return undefined;
  throw error;
}

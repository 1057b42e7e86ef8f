import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type DocumentSource, decodeText, MAX_FILE_BYTES, parseDocument } from '../../definitions/definition-source.js';
import { fileProblem, type Problem } from '../../definitions/problem.js';
import type { SqlSource } from './conversion.js';
import { MARK } from './template/sql-nodes.js';

/** The files of a foreign folder. Files outside of the folder are never read, not even through links. */
export class SourceFolder {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** Returns a path relative to the folder, with `/`. */
  nameOf(path: string): string {
    return relative(this.root, path).split(sep).join('/');
  }

  /** Returns the sorted files under the folder, and the links to folders. Names that begin with a dot are skipped. */
  async list(folder = this.root): Promise<{ readonly files: string[]; readonly links: string[] }> {
    const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !isIgnored(name));
    const [files, links]: [string[], string[]] = [[], []];
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        const inside = await this.list(path);
        files.push(...inside.files);
        links.push(...inside.links);
      } else if (entry.isSymbolicLink() && (await stat(path).catch(() => undefined))?.isDirectory()) links.push(path);
      else files.push(path);
    }
    return { files, links };
  }

  /** Reads a file with SQL. Returns a problem if it cannot be read. */
  async readSql(path: string): Promise<SqlSource | Problem> {
    const bytes = await this.#read(path);
    if (!(bytes instanceof Uint8Array)) return bytes;
    if (bytes.includes(0)) return { ...fileProblem(path, 'the file is not text'), expected: 'SQL in UTF-8' };
    const text = decodeText(path, bytes);
    if (typeof text !== 'string') return text;
    if (text.includes(MARK)) return fileProblem(path, 'the file contains the character U+E000: remove it');
    const lines = text.replaceAll('\r\n', '\n');
    return { file: path, text: lines, lines: [0, ...[...lines.matchAll(/\n/g)].map(({ index }) => index + 1)] };
  }

  /** Reads a file with JSON. Returns a problem if it cannot be read. */
  async readJson(path: string): Promise<DocumentSource | Problem> {
    const bytes = await this.#read(path);
    return bytes instanceof Uint8Array ? parseDocument(path, bytes) : bytes;
  }

  async #read(path: string): Promise<Uint8Array | Problem> {
    try {
      const [root, real] = [await realpath(this.root), await realpath(path)];
      if (!real.startsWith(root + sep)) {
        const isLink = (await lstat(path)).isSymbolicLink();
        return fileProblem(path, `${isLink ? 'the link leads' : 'the path leads'} outside of the imported folder`);
      }
      const { size, ...file } = await stat(real).then((found) => ({ size: found.size, isFile: found.isFile() }));
      if (!file.isFile) return fileProblem(path, 'this is not a file');
      if (size > MAX_FILE_BYTES) {
        const facts = { expected: `at most ${MAX_FILE_BYTES} bytes`, got: `${size}` };
        return { ...fileProblem(path, 'the file is too large for a definition'), ...facts };
      }
      return await readFile(real);
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      return fileProblem(
        path,
        isMissing ? 'the file does not exist' : 'the file cannot be read',
        isMissing ? undefined : error,
      );
    }
  }
}

function isIgnored(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

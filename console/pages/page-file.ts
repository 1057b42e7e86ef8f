import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import {
  checkParameters,
  checkShape,
  type DefinitionSource,
  describeValue,
  fileProblem,
  isMapping,
  normalizeParameter,
  type ParameterDefinition,
  type Problem,
  parseDocument,
} from '../../engine/index.js';
import type { Block, Page } from './page.js';

/** A parsed page file. The file was not checked against the definitions and other pages yet. */
export interface PageFile {
  readonly file: string;
  /** The position of its folder in the list of page folders. */
  readonly folder: number;
  /** The hash of the file's bytes; undefined if the file cannot be read. */
  readonly hash: string | undefined;
  /** The name and the path, if they are texts. */
  readonly identity: { readonly name: string | undefined; readonly path: string | undefined };
  /** Undefined if the file is not a mapping in YAML or JSON. */
  readonly source: DefinitionSource | undefined;
  /** The parts of the page that could be read. Keys with problems have their defaults. */
  readonly page: Page;
  /** The keys of the page that contain problems. */
  readonly broken: ReadonlySet<string>;
  /** Parameters with problems. The values of these members are not checked further. */
  readonly invalid: ReadonlySet<string>;
  /** Problems of the file's form and of the parameters. */
  readonly problems: readonly Problem[];
}

/** Reads a page file. Returns `known` if the file did not change. */
export async function readPageFile(file: string, folder: number, known?: PageFile): Promise<PageFile> {
  const failWith = (problem: Problem): PageFile => ({ ...NOTHING, file, folder, problems: [problem] });
  let bytes: Uint8Array;
  try {
    // Reading a pipe or a device might never end.
    if (!(await stat(file)).isFile()) return failWith(fileProblem(file, 'this is not a regular file'));
    bytes = await readFile(file);
  } catch (error) {
    return failWith(fileProblem(file, 'the file cannot be read', error));
  }
  const ownHash = hash('sha256', bytes, 'base64url');
  if (known?.hash === ownHash && known.folder === folder) return known;
  return { ...checkForm(file, bytes), file, folder, hash: ownHash };
}

const NO_PAGE: Page = { name: '', path: '', title: '', summary: '', params: {}, blocks: [] };
const NOTHING = {
  hash: undefined,
  identity: { name: undefined, path: undefined },
  source: undefined,
  page: NO_PAGE,
  broken: new Set<string>(),
  invalid: new Set<string>(),
};

function checkForm(file: string, bytes: Uint8Array): Omit<PageFile, 'file' | 'folder' | 'hash'> {
  const document = parseDocument(file, bytes);
  if (!('value' in document)) return { ...NOTHING, problems: [document] };
  const { value } = document;
  if (!isMapping(value)) {
    const problem = document.problem([], 'the page must be a mapping', { got: describeValue(value) });
    return { ...NOTHING, problems: [problem] };
  }
  const source = { ...document, value };
  const { problems, broken, misspelled } = checkShape(source, 'page.schema.json');
  const page = normalizePage(value, broken);
  const areSound = !broken.has('params') && !broken.has('path');
  const parameters = areSound ? checkParameters(source, page, misspelled) : undefined;
  const invalid = parameters?.invalid ?? new Set(Object.keys(page.params));
  const all = [...problems, ...(parameters?.problems ?? [])];
  return { identity: identityOf(value), source, page, broken, invalid, problems: all };
}

/** Applies defaults. Keys with problems are treated as absent. All blocks are kept, even if they have problems. */
function normalizePage(value: Readonly<Record<string, unknown>>, broken: ReadonlySet<string>): Page {
  const sound = Object.fromEntries(Object.entries(value).filter(([key]) => !broken.has(key)));
  const { $schema: _, params = {}, blocks: __, ...texts } = sound;
  const parameters = Object.entries(params as Record<string, ParameterDefinition>);
  return {
    ...NO_PAGE,
    ...texts,
    params: Object.fromEntries(parameters.map(([name, parameter]) => [name, normalizeParameter(parameter)])),
    blocks: (Array.isArray(value.blocks) ? value.blocks : []).map(normalizeBlock),
  };
}

function normalizeBlock(block: unknown): Block {
  return { params: {}, width: 'full', ...(isMapping(block) && block) };
}

function identityOf({ name, path }: Readonly<Record<string, unknown>>): PageFile['identity'] {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return { name: text(name), path: text(path) };
}

import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type BrokenEndpoint,
  type DefinitionLoader,
  type Endpoint,
  formatProblems,
  isDefinitionFile,
  type LoadedEndpoints,
} from '../../../../engine/index.js';
import { REPLACE_MS } from '../../../../server/live/load-complete.js';
import { definitionFolders, type FolderSettings } from '../../../../server/settings/definition-folders.js';
import { createDefinitionLoader } from '../../../../server/settings/definitions.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import { definitionIn, definitionNamed, pathOf, rejectSharedFile } from '../named-definitions.js';

/** A state of the definition. `definition` is undefined while its file does not exist. */
export interface SavedDefinition {
  readonly file: string;
  readonly savedAt: Date;
  readonly definition: Endpoint | BrokenEndpoint | undefined;
}

/**
 * Finds the definition that a caller works on, by name or by file. The file may not exist yet, and may be outside of the definition
 * folders. A definition that was found by name is also found after its file was renamed. Throws an error for an unknown name.
 */
export async function findDeveloped(
  { settings, cwd }: Pick<CommandContext, 'settings' | 'cwd'>,
  name: string,
): Promise<DevelopedDefinition> {
  const loader = createDefinitionLoader(settings);
  const file = pathOf(cwd, name);
  if (file === undefined) {
    const known = definitionNamed(await loader.load(), name);
    return new DevelopedDefinition(settings, loader, resolve(known.file), name);
  }
  if (!isDefinitionFile(file))
    throw new Error(`Expected a file name that ends with .yaml, .yml or .json, got ${name}.`);
  if (/\.shared\.\w+$/i.test(file)) rejectSharedFile(file);
  return new DevelopedDefinition(settings, loader, file, undefined);
}

/** A definition that its author is editing. */
export class DevelopedDefinition {
  readonly #loader: DefinitionLoader;
  /** Loads the file separately, if it is not in the folders. */
  readonly #outside: DefinitionLoader;
  readonly #folders: readonly string[];
  readonly #name: string | undefined;
  #file: string;
  #last: State | undefined;

  constructor(settings: FolderSettings, loader: DefinitionLoader, file: string, name: string | undefined) {
    this.#loader = loader;
    this.#outside = createDefinitionLoader(settings);
    this.#folders = definitionFolders(settings).map((folder) => resolve(folder));
    this.#file = file;
    this.#name = name;
  }

  /** The folders to watch, because a change in them can change the definition. `depth` limits the levels of subfolders. */
  get watched(): { readonly folders: readonly string[]; readonly depth?: number } {
    // The depth is limited, because a folder such as the home folder can contain any number of folders.
    return this.#isInside() ? { folders: this.#folders } : { folders: [dirname(this.#file)], depth: 0 };
  }

  /** Returns the state of the definition if it differs from that of the previous call; otherwise undefined. */
  async readChange(): Promise<SavedDefinition | undefined> {
    const before = this.#last;
    const after = await this.#readAgain();
    if (before !== undefined && isSame(before, after)) return undefined;
    this.#last = after;
    // If the file itself has not changed, the change comes from a shared file, and its time is now.
    const savedAt = before?.text === after.text || after.changedAt === undefined ? new Date() : after.changedAt;
    return { file: this.#file, savedAt, definition: after.definition };
  }

  /**
   * Reads the state. If the file is missing or empty, reads it again after a moment, because editors replace a file, or empty it before
   * they write it.
   */
  async #readAgain(): Promise<State> {
    const state = await this.#read();
    if (this.#last === undefined || (state.text ?? '').trim() !== '') return state;
    await pause(REPLACE_MS);
    return this.#read();
  }

  async #read(): Promise<State> {
    const file = this.#file;
    const [before] = await readText(file);
    const loaded = this.#isInside() || this.#name !== undefined ? await this.#loader.load() : NONE;
    const named = this.#name === undefined ? undefined : findNamed(loaded, this.#name);
    if (named !== undefined) this.#file = resolve(named.file);
    // If a definition in another folder overrides this one, it is not among the loaded definitions.
    const definition = named ?? definitionIn(loaded, this.#file) ?? (await this.#readOutside());
    const [text, changedAt] = await readText(this.#file);
    // If the file was saved during this function, text and definition could be from different states, so it reads again.
    if (this.#file !== file || text !== before) return this.#read();
    return { text, changedAt, definition: text === undefined ? undefined : definition };
  }

  async #readOutside(): Promise<State['definition']> {
    const [text] = await readText(this.#file);
    return text === undefined ? undefined : definitionIn(await this.#outside.loadOnly([this.#file]), this.#file);
  }

  #isInside(): boolean {
    return this.#folders.some((folder) => this.#file.startsWith(folder + sep));
  }
}

interface State {
  /** Undefined if the file does not exist. */
  readonly text: string | undefined;
  readonly changedAt: Date | undefined;
  readonly definition: Endpoint | BrokenEndpoint | undefined;
}

const NONE: Pick<LoadedEndpoints, 'endpoints' | 'broken'> = { endpoints: [], broken: [] };

function findNamed({ endpoints, broken }: typeof NONE, name: string): Endpoint | BrokenEndpoint | undefined {
  return broken.find((one) => one.name === name) ?? endpoints.find(({ definition }) => definition.name === name);
}

/**
 * Reads a file and the time of its last change. If an existing file cannot be read, the text is empty; the reason is in the problems of the
 * definition.
 */
async function readText(file: string): Promise<readonly [text: string | undefined, changedAt: Date | undefined]> {
  const changedAt = await stat(file).then(
    ({ mtime }) => mtime,
    () => undefined,
  );
  if (changedAt === undefined) return [undefined, undefined];
  return [await readFile(file, 'utf8').catch(() => ''), changedAt];
}

/** Whether two states are equal. The loader returns the same endpoint object if nothing has changed from which it is derived. */
function isSame(one: State, other: State): boolean {
  if (one.text !== other.text) return false;
  const [before, after] = [one.definition, other.definition];
  if (before === undefined || after === undefined || 'definition' in before || 'definition' in after)
    return before === after;
  return formatProblems([before]).join('\n') === formatProblems([after]).join('\n');
}

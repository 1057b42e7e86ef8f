import { type DefinitionPath, type DefinitionSource, didYouMean, isMapping, type Problem } from '../../engine/index.js';
import { checkBlock, type KnownDefinitions, type PageCheck } from './check-block.js';
import { type Block, findPlaces, type Page } from './page.js';
import type { PageFile } from './page-file.js';

/** Checks a page against the definitions that it shows. */
export function checkPage(file: PageFile, definitions: KnownDefinitions): PageCheck {
  const { source, page } = file;
  if (source === undefined) return { problems: file.problems, failing: [] };
  const { params } = source.value;
  const check = new UseCheck(source, isMapping(params) ? Object.keys(params) : []);
  const blocks = page.blocks.map((block, index) => {
    const isSound = (...keys: readonly string[]) => keys.every((key) => isSoundKey(file, index, key));
    checkTexts(check, block, index, isSound);
    return checkBlock({ file, source, block, index, isSound, definitions });
  });
  if (!file.broken.has('title')) check.read(['title'], page.title);
  const isComplete = !file.broken.has('blocks') && !file.broken.has('title');
  const problems = [
    ...file.problems,
    ...check.problems,
    ...checkTitleColumn(source, page, definitions),
    ...blocks.flatMap((one) => one.problems),
    ...(isComplete && !file.broken.has('params') ? check.findUnused() : []),
  ];
  return { problems: inOrder(problems), failing: blocks.flatMap((one) => one.failing) };
}

/** Checks that `title_from` names a column of the first result. Definitions with problems are reported at their block. */
function checkTitleColumn(
  source: DefinitionSource,
  { title_from: column, blocks }: Page,
  { endpoints }: KnownDefinitions,
): Problem[] {
  if (column === undefined) return [];
  const first = blocks.find(({ endpoint }) => endpoint !== undefined);
  if (first === undefined) return [source.problem(['title_from'], 'the page has no block with an endpoint')];
  const endpoint = endpoints.find(({ definition }) => definition.name === first.endpoint);
  const names = endpoint?.definition.columns.map(({ col }) => col) ?? [column];
  if (names.includes(column)) return [];
  return [
    source.problem(
      ['title_from'],
      `${first.endpoint} has no column ${JSON.stringify(column)}${didYouMean(column, names)}`,
    ),
  ];
}

/** Finds the page parameters that the texts of a page use. */
class UseCheck {
  readonly problems: Problem[] = [];
  readonly #source: DefinitionSource;
  readonly #names: readonly string[];
  readonly #used = new Set<string>();

  constructor(source: DefinitionSource, names: readonly string[]) {
    this.#source = source;
    this.#names = names;
  }

  /** Reads the placeholders in a text. A placeholder that is not a parameter of the page is a problem. */
  read(path: DefinitionPath, text: string): void {
    const { places, stray } = findPlaces(text);
    for (const { name, at } of places) {
      this.#used.add(name);
      if (this.#names.includes(name)) continue;
      const hint = didYouMean(name, this.#names);
      const message = `{${name}} is not a parameter of this page${hint === '' ? ': declare it under params' : hint}`;
      this.problems.push(this.#source.problem(path, message, { at }));
    }
    if (stray === undefined) return;
    this.problems.push(this.#source.problem(path, 'this brace is not part of a {parameter}', { at: stray }));
  }

  findUnused(): Problem[] {
    // If a placeholder is unknown, it is probably a misspelled parameter, so unused parameters are not reported.
    if (this.problems.length > 0) return [];
    return this.#names
      .filter((name) => !this.#used.has(name))
      .map((name) => {
        const message = `the page does not use this parameter: write {${name}} in a block, or remove the parameter`;
        return this.#source.problem(['params', name], message, { at: 'key' });
      });
  }
}

function checkTexts(
  check: UseCheck,
  block: Block,
  index: number,
  isSound: (...keys: readonly string[]) => boolean,
): void {
  const at = ['blocks', index];
  if (block.title !== undefined && isSound('title')) check.read([...at, 'title'], block.title);
  if (block.text !== undefined && isSound('text')) check.read([...at, 'text'], block.text);
  if (!isSound('params')) return;
  for (const [name, value] of Object.entries(block.params)) {
    const items = Array.isArray(value) ? value.map((item, item_) => [item, [item_]] as const) : [[value, []] as const];
    for (const [item, rest] of items) {
      if (typeof item === 'string') check.read([...at, 'params', name, ...rest], item);
    }
  }
}

const BLOCK_KEYS = ['title', 'text', 'endpoint', 'params', 'chart', 'width', 'rows'];

/**
 * Whether a key of a block has a valid form. If the block has an unknown key, the intended key is not known, so the result is false for
 * every key.
 */
function isSoundKey({ problems }: PageFile, index: number, key: string): boolean {
  return problems.every((problem) => {
    const [first, place, inside] = problem.key.split('.');
    if (first !== 'blocks' || place !== String(index)) return first !== 'blocks' || place !== undefined;
    return inside !== undefined && BLOCK_KEYS.includes(inside) && inside !== key;
  });
}

function inOrder(problems: readonly Problem[]): Problem[] {
  return [...problems].sort((one, other) => one.line - other.line || one.column - other.column);
}

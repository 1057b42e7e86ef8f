import { didYouMean } from '../sql/did-you-mean.js';
import {
  type DefinitionPath,
  type DefinitionSource,
  describeValue,
  isMapping,
  type ProblemFacts,
} from './definition-source.js';
import {
  type ExpandedSql,
  expandSql,
  hasArgument,
  MAX_EXPANDED_LENGTH,
  readUse,
  type SqlArguments,
  type SqlPlace,
  type SqlText,
  textLiteral,
} from './expand-sql.js';
import { formatPlace, type Problem } from './problem.js';
import { partOf, partsOf, type SharedFile, type SharedKind } from './shared-file.js';

/** A definition in which every shared part is expanded. */
export interface ExpandedDefinition {
  /**
   * Problems that this source creates have the position of the author's text, in the definition file or in a shared
   * file.
   */
  readonly source: DefinitionSource;
  readonly problems: readonly Problem[];
  /** Top-level keys that use an unknown shared part. Later checks skip them. */
  readonly broken: ReadonlySet<string>;
}

/** Replaces every `use` by the shared part that it names. */
export function expandDefinition(source: DefinitionSource, files: readonly SharedFile[]): ExpandedDefinition {
  const expansion = new Expansion(source, files);
  const value = expansion.expand();
  const problem: DefinitionSource['problem'] = (path, message, facts) => expansion.place(path, message, facts);
  return { source: { file: source.file, value, problem }, problems: expansion.problems, broken: expansion.broken };
}

/** The origin of an expanded parameter, column or notice. */
interface Origin {
  /** The path of the value in the definition that the author wrote. */
  readonly own: DefinitionPath;
  /** The shared part that contains the value; undefined if the definition itself contains the value. */
  readonly part?: SharedPart;
  /** Keys with which the definition overrides keys of the part. */
  readonly overridden?: readonly string[];
  readonly args?: SqlArguments;
}

interface Expanded {
  readonly value: unknown;
  readonly origin: Origin;
}

/** The maximum number of levels of views that use other views. */
const MAX_VIEW_DEPTH = 32;

type Mapping = Readonly<Record<string, unknown>>;
type Use = Mapping & { readonly use: string };

class Expansion {
  readonly problems: Problem[] = [];
  readonly broken = new Set<string>();
  readonly #own: DefinitionSource;
  readonly #files: readonly SharedFile[];
  /** The origins of expanded values, by their path in the expanded definition, for example `notices.0`. */
  readonly #origins = new Map<string, Origin>();
  readonly #sql = new Map<string, ExpandedSql>();

  constructor(own: DefinitionSource, files: readonly SharedFile[]) {
    this.#own = own;
    this.#files = files;
  }

  expand(): Mapping {
    this.#checkFiles();
    const { params, columns, notices, ...value } = this.#own.value;
    const expanded: Record<string, unknown> = { ...this.#own.value };
    if (isMapping(params)) expanded.params = this.#expandParams(params);
    if (Array.isArray(columns)) {
      expanded.columns = this.#expandList('columns', columns, (item, own) => this.#expandColumns(item, own));
    }
    if (Array.isArray(notices)) {
      const list = this.#expandList('notices', notices, (item, own) => this.#expandNotice(item, own));
      expanded.notices = list.map((notice, index) => this.#expandNoticeSql(notice, index));
    }
    for (const key of ['sql', 'data_as_of', 'computed_at']) {
      const text = value[key];
      if (typeof text === 'string') expanded[key] = this.#expandSql([key], { text, source: this.#own, path: [key] });
    }
    return expanded;
  }

  /** Creates a problem for a path of the expanded definition, at the position of the author's text. */
  place(path: DefinitionPath, message: string, facts: ProblemFacts = {}): Problem {
    const { at } = facts;
    const sql = typeof at === 'number' ? this.#sql.get(path.join('.')) : undefined;
    if (sql !== undefined && typeof at === 'number') return placeInSql(sql.placeOf(at), message, facts);
    const [key, name, ...rest] = path;
    const { own, part, overridden = [] } = this.#origins.get(`${key}.${name}`) ?? { own: path.slice(0, 2) };
    const [first] = rest;
    if (part === undefined || first === undefined || overridden.includes(String(first))) {
      return this.#own.problem([...own, ...rest], message, facts);
    }
    return { ...part.source.problem([...part.path, ...rest], message, facts), usedAt: this.#placeOf(own) };
  }

  /** Reports shared files that cannot be read, and parts with the same kind and name in two files. */
  #checkFiles(): void {
    for (const [index, { source, problems }] of this.#files.entries()) {
      if (source === undefined) this.#adopt(problems, ['shared', index]);
    }
    for (const { index, message } of findRepeatedParts(this.#files)) {
      this.problems.push(this.#own.problem(['shared', index], message));
    }
  }

  #expandParams(params: Mapping): Mapping {
    const expanded: [name: string, value: unknown][] = [];
    for (const [name, item] of Object.entries(params)) {
      const own = ['params', name];
      const param = isUse(item) ? this.#merge('params', item, own) : { value: item, origin: { own } };
      if (param === undefined) continue;
      this.#origins.set(`params.${name}`, param.origin);
      expanded.push([name, param.value]);
    }
    // An assignment to the name `__proto__` would set the prototype.
    return Object.fromEntries(expanded);
  }

  #expandColumns(item: Use, own: DefinitionPath): Expanded[] {
    const group = this.#find('columns', item.use, own);
    if (group === undefined) return [];
    const columns = group.value as readonly unknown[];
    return columns.map((value, place) => ({
      value,
      origin: { own, part: { ...group, path: [...group.path, place] } },
    }));
  }

  #expandNotice({ with: input, ...item }: Use, own: DefinitionPath): Expanded[] {
    const merged = this.#merge('notices', item, own);
    if (merged === undefined) return [];
    const { args, mistakes } = readArguments(input, String(merged.value.sql));
    for (const { path, message, facts } of mistakes) {
      this.broken.add('notices');
      this.problems.push(this.#own.problem([...own, 'with', ...path], message, facts));
    }
    return [{ value: merged.value, origin: { ...merged.origin, args } }];
  }

  /** Expands the items of a list that use a part. Other items stay unchanged. */
  #expandList(
    key: 'columns' | 'notices',
    items: readonly unknown[],
    expand: (item: Use, own: DefinitionPath) => readonly Expanded[],
  ): unknown[] {
    const expanded: unknown[] = [];
    for (const [index, item] of items.entries()) {
      const own = [key, index];
      for (const { value, origin } of isUse(item) ? expand(item, own) : [{ value: item, origin: { own } }]) {
        this.#origins.set(`${key}.${expanded.length}`, origin);
        expanded.push(value);
      }
    }
    return expanded;
  }

  /** Merges a shared part with the keys that override it in the definition. */
  #merge(kind: SharedKind, item: Use, own: DefinitionPath): { value: Mapping; origin: Origin } | undefined {
    const part = this.#find(kind, item.use, own);
    if (part === undefined) return undefined;
    const { use: _, ...overrides } = item;
    const value = { ...(part.value as Mapping), ...overrides };
    return { value, origin: { own, part, overridden: Object.keys(overrides) } };
  }

  #find(kind: SharedKind, name: string, own: DefinitionPath): SharedPart | undefined {
    const found = findPart(this.#files, kind, name);
    if ('part' in found) return found.part;
    this.broken.add(kind);
    if ('message' in found) this.problems.push(this.#own.problem([...own, 'use'], found.message));
    else this.#adopt(found.problems, own);
    return undefined;
  }

  #expandNoticeSql(notice: unknown, index: number): unknown {
    if (!isMapping(notice) || typeof notice.sql !== 'string') return notice;
    const { own, part, overridden = [], args } = this.#origins.get(`notices.${index}`) ?? { own: ['notices', index] };
    const isOwn = part === undefined || overridden.includes('sql');
    const origin = isOwn
      ? { source: this.#own, path: [...own, 'sql'] }
      : { source: part.source, path: [...part.path, 'sql'], usedAt: () => this.#placeOf(own), ...(args && { args }) };
    return { ...notice, sql: this.#expandSql(['notices', index, 'sql'], { text: notice.sql, ...origin }) };
  }

  #expandSql(path: DefinitionPath, sql: SqlText): string {
    const expanded = expandSql(sql, (words, tag) => {
      const view = this.#findView(words, tag);
      if ('text' in view) return view;
      this.broken.add(String(path[0]));
      this.problems.push(...view.problems);
      return undefined;
    });
    if (expanded.tooLong !== undefined) {
      this.broken.add(String(path[0]));
      const expected = `at most ${MAX_EXPANDED_LENGTH} characters`;
      this.problems.push(placeInSql(expanded.tooLong, 'the SQL with its views is too long', { expected }));
    }
    this.#sql.set(path.join('.'), expanded);
    return expanded.text;
  }

  #findView(words: string, tag: SqlPlace): SqlText | { readonly problems: readonly Problem[] } {
    const reject = (message: string, expected?: string) => ({
      problems: [placeInSql(tag, message, expected === undefined ? {} : { expected })],
    });
    const use = readUse(words);
    if (use === undefined)
      return reject('{% use %} takes a view and its arguments', "{% use name argument: 'value' %}");
    const { name, args } = use;
    const { within = [], usedAt = () => formatPlace(placeInSql(tag, '')) } = tag;
    const found = findPart(this.#files, 'views', name);
    if ('message' in found) return reject(found.message);
    if ('problems' in found) return { problems: found.problems.map((problem) => ({ ...problem, usedAt: usedAt() })) };
    if (within.includes(name)) return reject(`the view "${name}" uses itself`);
    if (within.length === MAX_VIEW_DEPTH)
      return reject('the views are nested too deeply', `at most ${MAX_VIEW_DEPTH} levels`);
    const { value, source, path } = found.part;
    const text = String(value);
    const unused = Object.keys(args).find((argument) => !hasArgument(text, argument));
    if (unused !== undefined) return reject(unusedArgumentMessage(unused, 'view'));
    return { text, args, source, path, usedAt, within: [...within, name] };
  }

  /** Reports problems of a shared file, and adds to each the position in the definition that uses the part. */
  #adopt(problems: readonly Problem[], own: DefinitionPath): void {
    const usedAt = this.#placeOf(own);
    this.problems.push(...problems.map((problem) => ({ ...problem, usedAt })));
  }

  #placeOf(own: DefinitionPath): string {
    return formatPlace(this.#own.problem(own, '', { at: 'key' }));
  }
}

function placeInSql({ source, path, at, usedAt }: SqlPlace, message: string, facts: ProblemFacts = {}): Problem {
  return { ...source.problem(path, message, { ...facts, at }), ...(usedAt !== undefined && { usedAt: usedAt() }) };
}

function isUse(item: unknown): item is Use {
  return isMapping(item) && typeof item.use === 'string';
}

/** A mistake in the arguments of a notice, which are under the key `with`. */
interface ArgumentMistake {
  /** The path of keys under `with`; empty if the mistake is the value of `with` itself. */
  readonly path: readonly string[];
  readonly message: string;
  readonly facts: ProblemFacts;
}

/** Reads the arguments that a definition passes to a shared notice. Returns no arguments if one of them is invalid. */
function readArguments(
  input: unknown,
  sql: string,
): { readonly args: SqlArguments; readonly mistakes: readonly ArgumentMistake[] } {
  if (input !== undefined && !isMapping(input)) {
    const facts = { expected: 'a mapping', got: describeValue(input) };
    return { args: {}, mistakes: [{ path: [], message: 'invalid value', facts }] };
  }
  const literals: Record<string, string> = Object.create(null);
  const mistakes = Object.entries(input ?? {}).flatMap(([name, value]): ArgumentMistake[] => {
    if (!hasArgument(sql, name)) {
      return [{ path: [name], message: unusedArgumentMessage(name, 'notice'), facts: { at: 'key' } }];
    }
    const literal = literalOf(value);
    if (literal === undefined) {
      const facts = { expected: 'text or a number below 2^53', got: describeValue(value) };
      return [{ path: [name], message: 'invalid argument', facts }];
    }
    literals[name] = literal;
    return [];
  });
  return { args: mistakes.length === 0 ? literals : {}, mistakes };
}

/**
 * Returns the SQL literal of an argument. Returns undefined for numbers that a YAML parser cannot read exactly, such as
 * very large ones, and for all types that cannot be arguments.
 */
function literalOf(value: unknown): string | undefined {
  if (typeof value === 'string') return textLiteral(value);
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : undefined;
}

function unusedArgumentMessage(name: string, kind: 'notice' | 'view'): string {
  return `unknown argument: the ${kind} does not contain {{ ${name} }}`;
}

/** A named part of a shared file. */
interface SharedPart {
  readonly value: unknown;
  readonly source: DefinitionSource;
  readonly path: DefinitionPath;
}

/** The result of searching a shared part by name: the part, its problems, or a message that it does not exist. */
type FoundPart =
  | { readonly part: SharedPart }
  /** `problems` is empty if the part may be in an unreadable file, because the file itself is reported. */
  | { readonly problems: readonly Problem[] }
  | { readonly message: string };

/** Finds a part in the files that a definition lists, and marks it as used. */
function findPart(files: readonly SharedFile[], kind: SharedKind, name: string): FoundPart {
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
function findRepeatedParts(files: readonly SharedFile[]): { readonly index: number; readonly message: string }[] {
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

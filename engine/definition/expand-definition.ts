import { type DefinitionPath, type DefinitionSource, isMapping, type ProblemFacts } from './definition-source.js';
import {
  type ExpandedSql,
  expandSql,
  hasArgument,
  readUse,
  type SqlArguments,
  type SqlPlace,
  type SqlText,
} from './expand-sql.js';
import { idleArgument, readArguments } from './notice-arguments.js';
import { formatPlace, type Problem } from './problem.js';
import type { SharedFile, SharedKind } from './shared-file.js';
import { findPart, findRepeatedParts, type SharedPart } from './shared-parts.js';

/** A definition as if its author had written every shared part into it. */
export interface ExpandedDefinition {
  /** Its problems are placed where the author wrote the text, in this file or in a shared one. */
  readonly source: DefinitionSource;
  readonly problems: readonly Problem[];
  /** Top-level keys with a part that is not known: they are not checked further. */
  readonly broken: ReadonlySet<string>;
}

/** Replaces every `use` by the shared part that it names. */
export function expandDefinition(source: DefinitionSource, files: readonly SharedFile[]): ExpandedDefinition {
  const expansion = new Expansion(source, files);
  const value = expansion.expand();
  const problem: DefinitionSource['problem'] = (path, message, facts) => expansion.place(path, message, facts);
  return { source: { file: source.file, value, problem }, problems: expansion.problems, broken: expansion.broken };
}

/** Where an expanded parameter, column or notice comes from. */
interface Origin {
  /** Its place in the definition. */
  readonly own: DefinitionPath;
  /** Undefined where the definition itself has the value. */
  readonly part?: SharedPart;
  /** Keys that the definition has in place of those of the part. */
  readonly overridden?: readonly string[];
  readonly args?: SqlArguments;
}

interface Expanded {
  readonly value: unknown;
  readonly origin: Origin;
}

type Mapping = Readonly<Record<string, unknown>>;
type Use = Mapping & { readonly use: string };

class Expansion {
  readonly problems: Problem[] = [];
  readonly broken = new Set<string>();
  readonly #own: DefinitionSource;
  readonly #files: readonly SharedFile[];
  /** By place in the expanded definition, as `notices.0`. */
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
    if (isMapping(params)) expanded.params = this.#params(params);
    if (Array.isArray(columns)) {
      expanded.columns = this.#list('columns', columns, (written, own) => this.#columns(written, own));
    }
    if (Array.isArray(notices)) {
      const list = this.#list('notices', notices, (written, own) => this.#notice(written, own));
      expanded.notices = list.map((notice, index) => this.#noticeSql(notice, index));
    }
    for (const key of ['sql', 'data_as_of', 'computed_at']) {
      const text = value[key];
      if (typeof text === 'string') expanded[key] = this.#expandSql([key], { text, source: this.#own, path: [key] });
    }
    return expanded;
  }

  /** A problem at a path of the expanded definition, where the author wrote what is there. */
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

  /** Files that cannot be read, and names that two files have. */
  #checkFiles(): void {
    for (const [index, { source, problems }] of this.#files.entries()) {
      if (source === undefined) this.#adopt(problems, ['shared', index]);
    }
    for (const { index, message } of findRepeatedParts(this.#files)) {
      this.problems.push(this.#own.problem(['shared', index], message));
    }
  }

  #params(params: Mapping): Mapping {
    const expanded: Record<string, unknown> = {};
    for (const [name, written] of Object.entries(params)) {
      const own = ['params', name];
      const param = isUse(written) ? this.#merge('params', written, own) : { value: written, origin: { own } };
      if (param === undefined) continue;
      this.#origins.set(`params.${name}`, param.origin);
      expanded[name] = param.value;
    }
    return expanded;
  }

  #columns(written: Use, own: DefinitionPath): Expanded[] {
    const group = this.#find('columns', written.use, own);
    if (group === undefined) return [];
    const columns = group.value as readonly unknown[];
    return columns.map((value, place) => ({
      value,
      origin: { own, part: { ...group, path: [...group.path, place] } },
    }));
  }

  #notice({ with: given, ...written }: Use, own: DefinitionPath): Expanded[] {
    const merged = this.#merge('notices', written, own);
    if (merged === undefined) return [];
    const { args, mistakes } = readArguments(given, String(merged.value.sql));
    for (const { path, message, facts } of mistakes) {
      this.broken.add('notices');
      this.problems.push(this.#own.problem([...own, 'with', ...path], message, facts));
    }
    return [{ value: merged.value, origin: { ...merged.origin, args } }];
  }

  /** Expands the items of a list that use a part; the others stay as they are. */
  #list(
    key: 'columns' | 'notices',
    items: readonly unknown[],
    expand: (written: Use, own: DefinitionPath) => readonly Expanded[],
  ): unknown[] {
    const expanded: unknown[] = [];
    for (const [index, written] of items.entries()) {
      const own = [key, index];
      for (const { value, origin } of isUse(written) ? expand(written, own) : [{ value: written, origin: { own } }]) {
        this.#origins.set(`${key}.${expanded.length}`, origin);
        expanded.push(value);
      }
    }
    return expanded;
  }

  /** The part with what the definition has in place of its keys. */
  #merge(kind: SharedKind, written: Use, own: DefinitionPath): { value: Mapping; origin: Origin } | undefined {
    const part = this.#find(kind, written.use, own);
    if (part === undefined) return undefined;
    const { use: _, ...overrides } = written;
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

  #noticeSql(notice: unknown, index: number): unknown {
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
      const view = this.#view(words, tag);
      if ('text' in view) return view;
      this.broken.add(String(path[0]));
      this.problems.push(...view.problems);
      return undefined;
    });
    this.#sql.set(path.join('.'), expanded);
    return expanded.text;
  }

  #view(words: string, tag: SqlPlace): SqlText | { readonly problems: readonly Problem[] } {
    const wrong = (message: string, expected?: string) => ({
      problems: [placeInSql(tag, message, expected === undefined ? {} : { expected })],
    });
    const use = readUse(words);
    if (use === undefined) return wrong('{% use %} takes a view and its arguments', "{% use name argument: 'value' %}");
    const { name, args } = use;
    const { within = [], usedAt = () => formatPlace(placeInSql(tag, '')) } = tag;
    const found = findPart(this.#files, 'views', name);
    if ('message' in found) return wrong(found.message);
    if ('problems' in found) return { problems: found.problems.map((problem) => ({ ...problem, usedAt: usedAt() })) };
    if (within.includes(name)) return wrong(`the view "${name}" uses itself`);
    const { value, source, path } = found.part;
    const text = String(value);
    const idle = Object.keys(args).find((argument) => !hasArgument(text, argument));
    if (idle !== undefined) return wrong(idleArgument(idle, 'view'));
    return { text, args, source, path, usedAt, within: [...within, name] };
  }

  /** Problems of a shared file, as those of the place that uses it. */
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

function isUse(written: unknown): written is Use {
  return isMapping(written) && typeof written.use === 'string';
}

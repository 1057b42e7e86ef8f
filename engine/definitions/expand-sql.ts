import { NOT_CODE } from '../sql/reading/lexemes.js';
import type { DefinitionPath, DefinitionSource } from './definition-source.js';

/**
 * The origin of an SQL text that an author wrote. If the text is in a shared file, `usedAt` returns the position in the
 * definition that uses it.
 */
export interface SqlOrigin {
  readonly source: DefinitionSource;
  readonly path: DefinitionPath;
  readonly usedAt?: () => string;
  /** The names of the nested views that contain the text, the outermost first. */
  readonly within?: readonly string[];
}

/** The position of one character: the text that contains it, and its offset `at` in this text. */
export interface SqlPlace extends SqlOrigin {
  readonly at: number;
}

export interface ExpandedSql {
  readonly text: string;
  /** Returns the position in the author's file of the character at an offset of the expanded text. */
  placeOf(offset: number): SqlPlace;
  /**
   * The first `{% use %}` tag that was not expanded because the text had reached its maximum length; undefined if all
   * tags were expanded.
   */
  readonly tooLong: SqlPlace | undefined;
}

/**
 * After this many characters of an expanded text, no further view is expanded. Without a limit, the text could grow
 * exponentially, because views can use other views.
 */
export const MAX_EXPANDED_LENGTH = 100_000;

export interface SqlText extends SqlOrigin {
  readonly text: string;
  /** The literals that replace `{{ name }}` in this text. The literals do not apply to the views that the text uses. */
  readonly args?: SqlArguments;
}

/** SQL literals by the name of their argument. */
export type SqlArguments = Readonly<Record<string, string>>;

/**
 * Finds the view that a `{% use %}` tag names. `words` is the content of the tag. If the view is unknown, reports this
 * and returns undefined.
 */
export type FindView = (words: string, tag: SqlPlace) => SqlText | undefined;

/**
 * Replaces each `{% use name %}` by the text of the view, indented and in parentheses. Replaces each `{{ argument }}` by its literal.
 */
export function expandSql(sql: SqlText, findView: FindView): ExpandedSql {
  const writer = new SqlWriter(findView);
  writer.write(sql, '');
  return { text: writer.text, placeOf: (offset) => writer.placeOf(offset), tooLong: writer.tooLong };
}

/** Parses `name argument: 'value', other: 1` of a `{% use %}`. Returns undefined for invalid syntax or a repeated argument. */
export function readUse(words: string): { readonly name: string; readonly args: SqlArguments } | undefined {
  const [, name, rest = ''] = /^(\w+)(?:\s+(\S.*))?$/s.exec(words) ?? [];
  const args = [...rest.matchAll(ARGUMENT)];
  if (name === undefined || args.map(([text]) => text).join('') !== rest) return undefined;
  const literals = new Map(
    args.map(([, key = '', single, double, number = '']) => {
      const text = single ?? double;
      return [key, text === undefined ? number : textLiteral(text)];
    }),
  );
  return literals.size === args.length ? { name, args: Object.fromEntries(literals) } : undefined;
}

/** Whether a text contains `{{ name }}`. */
export function hasArgument(text: string, name: string): boolean {
  return [...text.matchAll(PARTS)].some(([, , one]) => one === name);
}

const ARGUMENT = /(\w+):\s*(?:'([^']*)'|"([^"]*)"|(-?\d+(?:\.\d+)?))\s*(?:,\s*(?=\w)|$)/gy;

/** Matches text that is copied unchanged, a line break, a `{% use %}` tag or a `{{ }}` value. */
const PARTS = new RegExp(`${NOT_CODE}|\\n|\\{%-?\\s*use\\b(.*?)-?%\\}|\\{\\{-?\\s*(\\w+)\\s*-?\\}\\}`, 'gs');

/** A part of the expanded text. All characters of a part that is `fixed` have the same origin. */
interface Run {
  readonly start: number;
  readonly place: SqlPlace;
  readonly isFixed: boolean;
}

class SqlWriter {
  text = '';
  tooLong: SqlPlace | undefined;
  readonly #runs: Run[] = [];
  readonly #findView: FindView;

  constructor(findView: FindView) {
    this.#findView = findView;
  }

  write(sql: SqlText, indent: string): void {
    const { text, args = {}, ...origin } = sql;
    const place = (at: number): SqlPlace => ({ ...origin, at });
    let copied = 0;
    for (const { 0: part, 1: view, 2: name, index } of text.matchAll(PARTS)) {
      const isArgument = name !== undefined && Object.hasOwn(args, name);
      if (view === undefined && !isArgument && part !== '\n') continue;
      this.#append(text.slice(copied, index), place(copied));
      copied = index + part.length;
      if (view !== undefined) this.#writeView(view.trim(), place(index));
      else this.#append(isArgument ? (args[name] ?? '') : `\n${indent}`, place(index), true);
    }
    this.#append(text.slice(copied), place(copied));
  }

  placeOf(offset: number): SqlPlace {
    const run = this.#runs.findLast(({ start }) => start <= offset) ?? this.#runs[0];
    if (run === undefined) throw new RangeError('an empty text has no places');
    return run.isFixed ? run.place : { ...run.place, at: run.place.at + offset - run.start };
  }

  #writeView(words: string, tag: SqlPlace): void {
    if (this.text.length > MAX_EXPANDED_LENGTH) {
      this.tooLong ??= tag;
      return;
    }
    const view = this.#findView(words, tag);
    if (view === undefined) return;
    const text = view.text.trimEnd();
    if (!text.includes('\n')) {
      this.#append('(', tag, true);
      this.write({ ...view, text }, '');
      this.#append(')', tag, true);
      return;
    }
    const [indent = ''] = /^ */.exec(this.text.slice(this.text.lastIndexOf('\n') + 1)) ?? [];
    this.#append(`(\n${indent}  `, tag, true);
    this.write({ ...view, text }, `${indent}  `);
    this.#append(`\n${indent})`, tag, true);
  }

  #append(text: string, place: SqlPlace, isFixed = false): void {
    if (text === '') return;
    this.#runs.push({ start: this.text.length, place, isFixed });
    this.text += text;
  }
}

/** Formats a text as an SQL string literal. */
export function textLiteral(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

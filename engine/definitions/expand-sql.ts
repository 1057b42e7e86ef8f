import { NOT_CODE } from '../sql/reading/lexemes.js';
import type { DefinitionPath, DefinitionSource } from './definition-source.js';

/**
 * The place of a text that an author wrote. For a text in a shared file, `usedAt` returns the place in the definition
 * that uses the text.
 */
export interface SqlOrigin {
  readonly source: DefinitionSource;
  readonly path: DefinitionPath;
  readonly usedAt?: () => string;
  /** Names of the views that contain the text, the outermost first. */
  readonly within?: readonly string[];
}

/** The place of one character: the text that contains it, and the offset `at` in this text. */
export interface SqlPlace extends SqlOrigin {
  readonly at: number;
}

export interface ExpandedSql {
  readonly text: string;
  /** Returns the place in the author's file of the character at an offset of `text`. */
  placeOf(offset: number): SqlPlace;
  /**
   * The first `{% use %}` after the text reached its maximum length. This tag and all later tags are not expanded.
   * Undefined if all tags are expanded.
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
  /** The literals that replace `{{ name }}`. They apply only to this text, not to the views that it uses. */
  readonly args?: SqlArguments;
}

/** SQL literals by the name of their argument. */
export type SqlArguments = Readonly<Record<string, string>>;

/**
 * Finds the view that `words`, the content of a `{% use %}`, names. If the view is unknown, reports this and returns
 * undefined.
 */
export type FindView = (words: string, tag: SqlPlace) => SqlText | undefined;

/**
 * Replaces each `{% use name %}` by the text of the view, indented and in parentheses. Replaces arguments by literals.
 */
export function expandSql(sql: SqlText, findView: FindView): ExpandedSql {
  const writer = new SqlWriter(findView);
  writer.write(sql, '');
  return { text: writer.text, placeOf: (offset) => writer.placeOf(offset), tooLong: writer.tooLong };
}

/** Reads `name argument: 'value', other: 1`. Undefined if the syntax is invalid or an argument occurs twice. */
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

/** Whether a text contains the argument. */
export function hasArgument(text: string, name: string): boolean {
  return [...text.matchAll(PARTS)].some(([, , one]) => one === name);
}

const ARGUMENT = /(\w+):\s*(?:'([^']*)'|"([^"]*)"|(-?\d+(?:\.\d+)?))\s*(?:,\s*(?=\w)|$)/gy;

/** Matches text that is copied unchanged, a line break, a `{% use %}` tag or a `{{ }}` value. */
const PARTS = new RegExp(`${NOT_CODE}|\\n|\\{%-?\\s*use\\b(.*?)-?%\\}|\\{\\{-?\\s*(\\w+)\\s*-?\\}\\}`, 'gs');

/** A part of the expanded text. All characters of a fixed part have the same place. */
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

/** Formats a text of the author as an SQL literal. */
export function textLiteral(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

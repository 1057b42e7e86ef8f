import type { ListTest } from './liquid-outputs.js';
import { isText, type PlaceholderNode, readSegments, type SqlNode, type TextNode } from './sql-nodes.js';
import { type ParameterRole, type TemplateText, TemplateTextWriter, useInCode } from './template-text.js';

/** A message with an offset in the foreign file. */
export interface TemplateMessage {
  readonly at: number;
  readonly message: string;
}

export interface WrittenTemplate extends TemplateText {
  /** Differences to the foreign SQL that the author must know. */
  readonly changes: readonly TemplateMessage[];
  readonly problems: readonly TemplateMessage[];
}

interface Writing {
  /** The roles by the parameter names in the foreign file. A role is undefined if its parameter was already rejected. */
  readonly roles: ReadonlyMap<string, ParameterRole | undefined>;
  /** Whether the foreign SQL is a Liquid template, so that tags stay unchanged. */
  readonly isLiquid: boolean;
  /** The tests of lists in the tags of a Liquid template, in their order. */
  readonly listTests?: readonly ListTest[];
}

/** A part of the SQL that is replaced by another text. */
interface Replacement {
  readonly start: number;
  readonly length: number;
  readonly replacement: string;
  readonly message: string;
}

/** Converts foreign SQL to a template. Values become `{{ name }}`; enums that select SQL become `{% case %}`. */
export function writeTemplate(nodes: readonly SqlNode[], writing: Writing): WrittenTemplate {
  const writer = new TemplateWriter(writing);
  const length = nodes.reduce((sum, node) => sum + (isText(node) ? node.text.length : 0), 0);
  if (length <= MAX_LENGTH) writer.writeSql(nodes);
  else
    writer.problems.push({ at: nodes[0]?.at ?? 0, message: `the SQL is too long: at most ${MAX_LENGTH} characters` });
  return { ...writer.text.finish(), changes: writer.changes, problems: writer.problems };
}

/** The maximum length of SQL to convert. Longer SQL would be rejected in a definition. */
const MAX_LENGTH = 100_000;
/** The filter of Liquid that joins the items of a list. A bound list needs no separator. */
const JOIN = /\s*\|\s*join\b\s*(?::\s*(?:"[^"]*"|'[^']*'))?/;
/** A join of list items in quotes, where the SQL contains the first and the last quote: `'{{ kinds | join: "','" }}'`. */
const QUOTED_JOIN = /\|\s*join\s*:\s*"'\s*,\s*'"\s*$/;

class TemplateWriter {
  readonly text = new TemplateTextWriter();
  readonly changes: TemplateMessage[] = [];
  readonly problems: TemplateMessage[] = [];
  readonly #writing: Writing;

  constructor(writing: Writing) {
    this.#writing = writing;
  }

  writeSql(nodes: readonly SqlNode[]): void {
    for (const { kind, nodes: inside } of readSegments(nodes)) {
      if (kind === 'comment') this.#writeComment(inside);
      else if (kind === 'literal') this.#writeLiteral(inside);
      else if (kind === 'name')
        inside.forEach((node) => {
          this.#writeInName(node);
        });
      else
        inside.forEach((node, index) => {
          this.#writeInCode(inside, node, index);
        });
    }
  }

  /** Writes a comment. Placeholders become plain names, and template marks are disabled, because a comment has no effect. */
  #writeComment(nodes: readonly SqlNode[]): void {
    for (const node of nodes) {
      if (!isText(node)) this.text.add(this.#roleOf(node)?.name ?? node.parameter, node.at);
      else this.text.copy(node.text.replace(/^#/, '-- ').replaceAll(/\{(?=[{%])/g, '{ '), node.at);
    }
  }

  #writeInCode(nodes: readonly SqlNode[], node: SqlNode, index: number): void {
    if (isText(node)) {
      this.#writeCode(node);
      return;
    }
    const role = this.#roleOf(node);
    if (role === undefined) return;
    const { name, fragments, choices, isText: areChoicesText, isList, unsafe } = role;
    const isName = useInCode(nodes, index) === 'name' && isList !== true;
    if (fragments !== undefined) this.#writeFragments(role, fragments, node);
    else if (choices !== undefined && (areChoicesText || isName)) this.#writeChoices(role, choices, node);
    else if (isName)
      this.#reject(node, `${name} is a part of a name here, and a caller must not choose names: use an enum`);
    else if (unsafe !== undefined) this.#reject(node, unsafe);
    else this.#bind(role, node);
  }

  #writeInName(node: SqlNode): void {
    if (isText(node)) {
      this.#copy(node);
      return;
    }
    const role = this.#roleOf(node);
    if (role === undefined) return;
    const { name, fragments, choices } = role;
    if (fragments !== undefined) this.#writeFragments(role, fragments, node);
    else if (choices !== undefined) this.#writeChoices(role, choices, node);
    else this.#reject(node, `${name} is inside a quoted name, and a caller must not choose names: use an enum`);
  }

  /** Writes SQL code. Functions such as NOW and tests of lists are replaced. */
  #writeCode({ text, at }: TextNode): void {
    let end = 0;
    for (const { start, length, replacement, message } of this.#findReplacements({ text, at })) {
      this.#copy({ text: text.slice(end, start), at: at + end });
      this.text.add(replacement, at + start);
      this.changes.push({ at: at + start, message });
      end = start + length;
    }
    this.#copy({ text: text.slice(end), at: at + end });
  }

  #findReplacements({ text, at }: TextNode): Replacement[] {
    const clock = findClockCalls(text).map(({ call, start, value, message }) => {
      return { start, length: call.length, replacement: `{{ ${value} }}`, message };
    });
    const lists = (this.#writing.listTests ?? [])
      .filter(({ start }) => start >= at && start < at + text.length)
      .map(({ start, test, condition }) => {
        const message = `${test} is now ${condition}: a list is present, with at least one value, or absent`;
        return { start: start - at, length: test.length, replacement: condition, message };
      });
    return [...clock, ...lists].sort((one, other) => one.start - other.start);
  }

  /** Writes a quoted text. With a placeholder in it, the text is split: `'%x%'` becomes `CONCAT('%', {{ x }}, '%')`. */
  #writeLiteral(nodes: readonly SqlNode[]): void {
    const roles = nodes.flatMap((node) => (isText(node) ? [] : [this.#roleOf(node)]));
    const bound = roles.filter((role) => role !== undefined && role.fragments === undefined);
    if (bound.length === 0) {
      for (const node of nodes) this.#writeInLiteral(node);
      return;
    }
    const placeholder = nodes.find((node) => !isText(node)) as PlaceholderNode;
    const list = bound.find((role) => role?.isList === true);
    const isQuotedList = nodes.length === 3 && QUOTED_JOIN.test(placeholder.filters);
    if (list !== undefined && !isQuotedList) {
      this.#reject(placeholder, `${list.name} is a list inside a quoted text: write IN (…) with one value per item`);
      return;
    }
    const groups = groupLiteral(nodes, (node) => this.#writing.roles.get(node.parameter)?.fragments === undefined);
    const [first] = groups;
    if (groups.length === 1 && first !== undefined && !isText(first.nodes[0] as SqlNode)) {
      this.#writeBound(first.nodes[0] as PlaceholderNode);
      return;
    }
    this.#writeConcat(nodes, groups, placeholder);
  }

  #writeConcat(nodes: readonly SqlNode[], groups: readonly LiteralGroup[], placeholder: PlaceholderNode): void {
    const start = nodes[0] as TextNode;
    const quote = start.text.charAt(0);
    this.text.add('CONCAT(', start.at);
    groups.forEach(({ nodes: inside, isBound }, index) => {
      if (index > 0) this.text.add(', ', (inside[0] as SqlNode).at);
      if (isBound) {
        this.#writeBound(inside[0] as PlaceholderNode);
        return;
      }
      this.text.add(quote, (inside[0] as SqlNode).at);
      for (const node of inside) this.#writeInLiteral(node);
      this.text.add(quote, (inside[0] as SqlNode).at);
    });
    this.text.add(')', start.at);
    const { name } = this.#roleOf(placeholder) ?? { name: placeholder.parameter };
    this.changes.push({
      at: placeholder.at,
      message: `${name} was a part of a quoted text: it is now bound, with CONCAT`,
    });
  }

  #writeInLiteral(node: SqlNode): void {
    if (isText(node)) {
      this.#copy(node);
      return;
    }
    const role = this.#roleOf(node);
    if (role?.fragments === undefined) return;
    if ([...role.fragments.values()].flat().some((part) => !isText(part))) {
      this.#reject(node, `the SQL of ${role.name} contains another placeholder, and is inside a quoted text`);
      return;
    }
    this.#writeFragments(role, role.fragments, node);
  }

  #writeBound(node: PlaceholderNode): void {
    const role = this.#roleOf(node);
    if (role !== undefined) this.#bind(role, node);
  }

  #bind({ name, isList }: ParameterRole, { filters, at }: PlaceholderNode): void {
    this.text.add(`{{ ${name}${isList ? filters.replace(JOIN, '') : filters} }}`, at);
  }

  #writeChoices(role: ParameterRole, choices: readonly (string | number)[], node: PlaceholderNode): void {
    const fragments = choices.map((choice) => [String(choice), [{ text: String(choice), at: node.at }]] as const);
    this.#writeFragments({ ...role, choices }, new Map(fragments), node);
  }

  #writeFragments(
    role: ParameterRole,
    fragments: ReadonlyMap<string, readonly SqlNode[]>,
    node: PlaceholderNode,
  ): void {
    const { at } = node;
    this.text.add(`{% case ${role.name} %}`, at);
    for (const [value, nodes] of fragments) {
      const isNumber = role.choices?.some((choice) => typeof choice === 'number') === true;
      if (value.includes('"') && value.includes("'")) {
        this.#reject(node, `the value ${value} of ${role.name} contains both kinds of quotes`);
      }
      const quote = value.includes('"') ? "'" : '"';
      this.text.add(`{% when ${isNumber ? value : `${quote}${value}${quote}`} %}`, at);
      const inner = new TemplateWriter(this.#writing);
      inner.writeSql(nodes);
      this.text.add(inner.text.whole(), at);
      this.problems.push(...inner.problems.map(({ message }) => ({ at, message })));
      this.changes.push(...inner.changes.map(({ message }) => ({ at, message })));
    }
    this.text.add('{% endcase %}', at);
  }

  #copy({ text, at }: TextNode): void {
    const template = this.#writing.isLiquid ? -1 : text.search(/\{[{%]/);
    if (template >= 0) {
      const message = `${text.slice(template, template + 2)} starts a template in definitions: remove it from the SQL`;
      this.problems.push({ at: at + template, message });
    }
    this.text.copy(text, at);
  }

  #roleOf(node: PlaceholderNode): ParameterRole | undefined {
    const role = this.#writing.roles.get(node.parameter);
    if (!this.#writing.roles.has(node.parameter)) {
      this.#reject(node, `the parameter ${node.parameter} is not declared`);
    }
    return role;
  }

  #reject({ at }: PlaceholderNode, message: string): void {
    if (!this.problems.some((problem) => problem.at === at)) this.problems.push({ at, message });
  }
}

/** A call of a function that returns the current time, and the value that replaces it. */
interface ClockCall {
  readonly call: string;
  readonly start: number;
  readonly value: 'now' | 'today';
  readonly message: string;
}

/** Finds functions such as NOW in SQL without quotes and comments. Definitions use the time of the service instead. */
function findClockCalls(code: string): ClockCall[] {
  return [...code.matchAll(CLOCK)].map(({ 0: call, index: start }) => {
    const value = /(?<!SYS)DATE\b/i.test(call) ? 'today' : 'now';
    const effect =
      value === 'now' ? 'the time of the service in UTC; such answers are not stored' : 'the day of the service in UTC';
    return { call, start, value, message: `${call} is now {{ ${value} }}, ${effect}` };
  });
}

/** Functions that can be called without parentheses. The names of all other functions can also be column names. */
const BARE = 'CURRENT_TIMESTAMP|LOCALTIMESTAMP|LOCALTIME|UTC_TIMESTAMP|CURRENT_DATE|UTC_DATE';
const CLOCK = new RegExp(
  `(?<![.\\w\`$])(?:(?:NOW|SYSDATE|CURDATE)\\s*\\(\\s*\\)|(?:${BARE})\\b(?:\\s*\\(\\s*\\)|(?!\\s*\\()))`,
  'gi',
);

/** A part of a quoted text: one bound placeholder, or the nodes between two of them. */
interface LiteralGroup {
  readonly nodes: readonly SqlNode[];
  readonly isBound: boolean;
}

/** Splits the content of a quoted text into bound placeholders and the texts between them. The quotes are removed. */
function groupLiteral(nodes: readonly SqlNode[], isBound: (node: PlaceholderNode) => boolean): LiteralGroup[] {
  const last = nodes.length - 1;
  const groups: { nodes: SqlNode[]; isBound: boolean }[] = [];
  nodes.forEach((node, index) => {
    if (!isText(node) && isBound(node)) {
      groups.push({ nodes: [node], isBound: true });
      return;
    }
    const inner = isText(node) ? withoutQuotes(node, index === 0, index === last) : node;
    if (isText(inner) && inner.text === '') return;
    const group = groups.at(-1);
    if (group === undefined || group.isBound) groups.push({ nodes: [inner], isBound: false });
    else group.nodes.push(inner);
  });
  return groups;
}

function withoutQuotes({ text, at }: TextNode, isFirst: boolean, isLast: boolean): TextNode {
  return { text: text.slice(isFirst ? 1 : 0, isLast ? -1 : undefined), at: isFirst ? at + 1 : at };
}

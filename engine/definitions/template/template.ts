import type { TagToken, TopLevelToken } from 'liquidjs';
import { didYouMean } from '../../sql/did-you-mean.js';
import type { ParameterDefinition } from '../definition.js';
import type { Environment } from '../definition-scope.js';
import { TokenizationError, Tokenizer, TypeGuards } from './liquid.js';
import {
  addComparedValues,
  type ChoiceValue,
  type ComparedValues,
  type Condition,
  type ConditionScope,
  choicesOf,
  isOptional,
  readCondition,
  readConditionValue,
  readLiteral,
  readSubject,
} from './template-condition.js';
import { type Output, readOutput } from './template-output.js';
import { formatTokenizerMessage, TemplateError, type TemplateProblem } from './template-problem.js';

export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string; readonly at: number }
  | { readonly kind: 'output'; readonly output: Output; readonly at: number }
  | { readonly kind: 'choice'; readonly branches: readonly Branch[] }
  /** A SELECT of one value, which is evaluated once per request. */
  | { readonly kind: 'once'; readonly nodes: readonly TemplateNode[]; readonly at: number };

/** One branch of an if, unless or case. The first branch whose condition holds is used. */
export interface Branch {
  readonly holds: Condition;
  readonly nodes: readonly TemplateNode[];
  readonly at: number;
  readonly tag: string;
}

/**
 * A parsed template. It supports the Liquid constructs `{{ }}`, `if`, `unless` and `case`, and the additional tag
 * `once`. No construct writes a value into the SQL text.
 */
export interface Template {
  readonly nodes: readonly TemplateNode[];
  readonly compared: ComparedValues;
  /** Names of the parameters and the values of the caller that the template uses. */
  readonly used: ReadonlySet<string>;
  readonly problems: readonly TemplateProblem[];
}

export function parseTemplate(
  text: string,
  parameters: Readonly<Record<string, ParameterDefinition>>,
  environment: Environment = {},
): Template {
  const reader = new TemplateReader(text, parameters, environment);
  const nodes = reader.readAll();
  return { nodes, compared: reader.compared, used: reader.used, problems: reader.problems };
}

const OPENING = ['if', 'unless', 'case', 'once'];
/** The maximum depth of nested tags, because parsing each level needs several stack frames. */
const MAX_DEPTH = 32;
const INNER = ['elsif', 'else', 'when', 'endif', 'endunless', 'endcase', 'endonce'];

class TemplateReader {
  readonly compared: ComparedValues = new Map();
  readonly used = new Set<string>();
  readonly problems: TemplateProblem[] = [];
  readonly #text: string;
  readonly #parameters: Readonly<Record<string, ParameterDefinition>>;
  readonly #environment: Environment;
  readonly #scope: ConditionScope;
  readonly #tokens: TopLevelToken[];
  #next = 0;
  /** The number of tags around the next token. */
  #depth = 0;
  #isOnce = false;

  constructor(text: string, parameters: Readonly<Record<string, ParameterDefinition>>, environment: Environment) {
    this.#text = text;
    this.#environment = environment;
    this.#parameters = parameters;
    const report = (offset: number, message: string, expected?: string) => {
      this.problems.push({ offset, message, ...(expected !== undefined && { expected }) });
    };
    this.#scope = { parameters, compared: this.compared, report };
    this.#tokens = this.#attempt(() => new Tokenizer(text).readTopLevelTokens(), []);
  }

  /** Parses all nodes. Stops at a misplaced tag, so that one mistake produces one problem. */
  readAll(): TemplateNode[] {
    const nodes = this.#attempt(() => this.#readNodes(false), []);
    for (const name of this.compared.keys()) this.used.add(name);
    return nodes;
  }

  /** Reads until a tag that belongs to an enclosing tag. Does not consume that tag. */
  #readNodes(isInside: boolean): TemplateNode[] {
    const nodes: TemplateNode[] = [];
    for (let token = this.#tokens[this.#next]; token !== undefined; token = this.#tokens[this.#next]) {
      if (TypeGuards.isTagToken(token)) {
        if (isInside && INNER.includes(token.name)) break;
        this.#next += 1;
        nodes.push(this.#readTag(token));
      } else {
        this.#next += 1;
        const node = this.#readLeaf(token);
        if (node !== undefined) nodes.push(node);
      }
    }
    return nodes;
  }

  #readLeaf(token: TopLevelToken): TemplateNode | undefined {
    if (TypeGuards.isHTMLToken(token)) {
      return { kind: 'text', text: token.getContent(), at: token.begin + token.trimLeft };
    }
    if (!TypeGuards.isOutputToken(token)) return undefined;
    return this.#attempt(() => {
      const tokenizer = new Tokenizer(this.#text, undefined, undefined, token.contentRange);
      const value = tokenizer.readFilteredValue();
      if (!tokenizer.end()) throw new TemplateError(token.begin, '{{ }} binds one parameter: {{ name }}');
      const output = readOutput(value, token.begin, this.#parameters, this.#environment);
      const { parameter } = output;
      if (parameter === undefined) return { kind: 'output', output, at: token.begin };
      this.used.add(parameter);
      // The absence of a list selects separate variants, so that checks also cover these variants.
      const definition = this.#parameters[parameter];
      if (output.maxItems !== undefined && definition !== undefined && isOptional(definition)) {
        addComparedValues(parameter, [null], this.#scope);
      }
      return { kind: 'output', output, at: token.begin };
    }, undefined);
  }

  #readTag(tag: TagToken): TemplateNode {
    const { name, tokenizer, begin } = tag;
    if (name === 'once') return this.#readOnce(tag);
    if (name === 'case') return this.#readCase(tokenizer, begin);
    if (name === 'if' || name === 'unless') return this.#readIf(name, tokenizer, begin);
    if (INNER.includes(name)) throw new TemplateError(begin, `{% ${name} %} has no opening tag`);
    const hint = didYouMean(name, [...OPENING, ...INNER]);
    throw new TemplateError(begin, `unknown tag {% ${name} %}${hint}`, OPENING.join(', '));
  }

  #readOnce(tag: TagToken): TemplateNode {
    const at = tag.begin;
    this.#requireNoArguments(tag);
    if (this.#isOnce) throw new TemplateError(at, '{% once %} is not allowed inside {% once %}');
    this.#isOnce = true;
    const { nodes } = this.#readBranch(() => true, 'once', at);
    this.#isOnce = false;
    const end = this.#tokens[this.#next];
    this.#next += 1;
    if (!TypeGuards.isTagToken(end)) throw new TemplateError(at, '{% once %} is not closed', '{% endonce %}');
    if (end.name !== 'endonce') {
      throw new TemplateError(end.begin, `{% ${end.name} %} is not allowed here, inside {% once %}`);
    }
    return { kind: 'once', nodes, at };
  }

  #readIf(tag: 'if' | 'unless', tokenizer: Tokenizer, at: number): TemplateNode {
    const first = this.#readCondition(tokenizer, at);
    const branches = [this.#readBranch(tag === 'if' ? first : (choices) => !first(choices), tag, at)];
    for (let token = this.#tokens[this.#next]; ; token = this.#tokens[this.#next]) {
      this.#next += 1;
      if (!TypeGuards.isTagToken(token)) throw new TemplateError(at, `{% ${tag} %} is not closed`, `{% end${tag} %}`);
      const hasElse = branches.at(-1)?.tag === 'else';
      this.#requireNoArguments(token);
      if (token.name === `end${tag}`) return { kind: 'choice', branches };
      if (token.name === 'elsif' && !hasElse) {
        branches.push(this.#readBranch(this.#readCondition(token.tokenizer, token.begin), 'elsif', token.begin));
      } else if (token.name === 'else' && !hasElse) {
        branches.push(this.#readBranch(() => true, 'else', token.begin));
      } else {
        throw new TemplateError(token.begin, `{% ${token.name} %} is not allowed here, inside {% ${tag} %}`);
      }
    }
  }

  #readCase(tokenizer: Tokenizer, at: number): TemplateNode {
    const subject = this.#attempt(() => readSubject(tokenizer.readFilteredValue().initial, at, this.#scope), undefined);
    if (subject !== undefined) this.used.add(subject);
    this.#skipBlankText(at);
    const branches: Branch[] = [];
    const seen = new Set<ChoiceValue>();
    const problemsBefore = this.problems.length;
    for (let token = this.#tokens[this.#next]; ; token = this.#tokens[this.#next]) {
      this.#next += 1;
      if (!TypeGuards.isTagToken(token)) throw new TemplateError(at, '{% case %} is not closed', '{% endcase %}');
      const hasElse = branches.at(-1)?.tag === 'else';
      this.#requireNoArguments(token);
      if (token.name === 'endcase') {
        const isValid = this.problems.length === problemsBefore;
        if (isValid && !hasElse && subject !== undefined) this.#checkComplete(subject, seen, at);
        return { kind: 'choice', branches };
      }
      if (token.name === 'when' && !hasElse) {
        const values = subject === undefined ? [] : this.#readWhenValues(token.tokenizer, subject, seen);
        const holds: Condition = (choices) => values.includes(choices.get(subject ?? '') ?? null);
        branches.push(this.#readBranch(holds, 'when', token.begin));
      } else if (token.name === 'else' && !hasElse) {
        branches.push(this.#readBranch(() => true, 'else', token.begin));
      } else {
        throw new TemplateError(token.begin, `{% ${token.name} %} is not allowed here, inside {% case %}`);
      }
    }
  }

  /** Rejects arguments of a tag that takes no arguments. Without this check, `{% else if x %}` would be treated as `{% else %}`. */
  #requireNoArguments({ name, tokenizer, begin }: TagToken): void {
    if (name === 'elsif' || name === 'when') return;
    tokenizer.skipBlank();
    if (tokenizer.end()) return;
    const hint = name === 'else' ? ': write {% elsif … %} for another condition' : '';
    this.#scope.report(begin, `{% ${name} %} takes no argument${hint}`);
  }

  #skipBlankText(at: number): void {
    const token = this.#tokens[this.#next];
    if (token === undefined || TypeGuards.isTagToken(token)) return;
    if (!TypeGuards.isHTMLToken(token) || token.getContent().trim() !== '') {
      throw new TemplateError(at, 'text before the first {% when %} is never used');
    }
    this.#next += 1;
  }

  #readWhenValues(tokenizer: Tokenizer, subject: string, seen: Set<ChoiceValue>): ChoiceValue[] {
    const values: ChoiceValue[] = [];
    while (!tokenizer.end()) {
      const token = tokenizer.readValueOrThrow();
      const value = readLiteral(token, subject, this.#scope);
      if (seen.has(value)) this.#scope.report(token.begin, `${JSON.stringify(value)} already has a branch above`);
      seen.add(value);
      values.push(value);
      tokenizer.skipBlank();
      if (tokenizer.peek() === ',') tokenizer.advance();
      else if (!tokenizer.end() && tokenizer.readIdentifier().content !== 'or') {
        throw new TemplateError(token.end, 'separate the values of {% when %} with commas');
      }
    }
    return values;
  }

  #checkComplete(subject: string, seen: ReadonlySet<ChoiceValue>, at: number): void {
    const definition = this.#parameters[subject];
    const missing = definition === undefined ? [] : choicesOf(definition).filter((choice) => !seen.has(choice));
    if (missing.length === 0) return;
    const names = missing.map((choice) => (choice === null ? 'absent (nil)' : JSON.stringify(choice))).join(', ');
    this.#scope.report(at, `{% case ${subject} %} has no branch for ${names}: add {% when %} or {% else %}`);
  }

  #readCondition(tokenizer: Tokenizer, at: number): Condition {
    return this.#attempt(
      () => {
        const value = readConditionValue(tokenizer, at);
        if (!tokenizer.end() || value.filters.length > 0) {
          throw new TemplateError(at, 'a condition compares parameters with values and cannot use filters');
        }
        return readCondition(value.initial, at, this.#scope);
      },
      () => true,
    );
  }

  #readBranch(holds: Condition, tag: string, at: number): Branch {
    if (this.#depth === MAX_DEPTH)
      throw new TemplateError(at, 'the tags are nested too deeply', `at most ${MAX_DEPTH} levels`);
    this.#depth += 1;
    const nodes = this.#readNodes(true);
    this.#depth -= 1;
    return { holds, nodes, at, tag };
  }

  /** Runs a parsing step. If the step throws a `TemplateError`, reports it and returns `otherwise`. */
  #attempt<Result>(step: () => Result, otherwise: Result): Result {
    try {
      return step();
    } catch (error) {
      if (error instanceof TemplateError) {
        this.#scope.report(error.offset, error.message, error.expected);
      } else if (error instanceof TokenizationError) {
        this.#scope.report(error.token.begin, formatTokenizerMessage(error.message));
      } else {
        throw error;
      }
      return otherwise;
    }
  }
}

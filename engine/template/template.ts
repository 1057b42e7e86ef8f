import { type TagToken, TokenizationError, Tokenizer, type TopLevelToken, TypeGuards } from 'liquidjs';
import { didYouMean } from '../../sql/did-you-mean.js';
import type { ParameterDefinition } from '../definition/definition.js';
import {
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
  remember,
} from './template-condition.js';
import { type Output, readOutput } from './template-output.js';
import { formatTokenizerMessage, type TemplateProblem, TemplateProblemFound } from './template-problem.js';

export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string; readonly at: number }
  | { readonly kind: 'output'; readonly output: Output; readonly at: number }
  | { readonly kind: 'choice'; readonly branches: readonly Branch[] };

/** One way through an if, unless or case; the first whose condition holds is taken. */
export interface Branch {
  readonly holds: Condition;
  readonly nodes: readonly TemplateNode[];
  readonly at: number;
  readonly tag: string;
}

/** A parsed template: Liquid's `{{ }}`, if, unless and case, with nothing that could write SQL from a value. */
export interface Template {
  readonly nodes: readonly TemplateNode[];
  readonly compared: ComparedValues;
  /** Names of the parameters that it mentions, `now` left out. */
  readonly used: ReadonlySet<string>;
  readonly problems: readonly TemplateProblem[];
}

export function parseTemplate(text: string, parameters: Readonly<Record<string, ParameterDefinition>>): Template {
  const reader = new TemplateReader(text, parameters);
  const nodes = reader.readAll();
  return { nodes, compared: reader.compared, used: reader.used, problems: reader.problems };
}

const OPENING = ['if', 'unless', 'case'];
const INNER = ['elsif', 'else', 'when', 'endif', 'endunless', 'endcase'];

class TemplateReader {
  readonly compared: ComparedValues = new Map();
  readonly used = new Set<string>();
  readonly problems: TemplateProblem[] = [];
  private readonly scope: ConditionScope;
  private readonly tokens: TopLevelToken[];
  private next = 0;

  constructor(
    private readonly text: string,
    private readonly parameters: Readonly<Record<string, ParameterDefinition>>,
  ) {
    const report = (offset: number, message: string, expected?: string) => {
      this.problems.push({ offset, message, ...(expected !== undefined && { expected }) });
    };
    this.scope = { parameters, compared: this.compared, report };
    this.tokens = this.attempt(() => new Tokenizer(text).readTopLevelTokens(), []);
  }

  /** A tag that is out of place ends the reading, so that one mistake is one problem. */
  readAll(): TemplateNode[] {
    const nodes = this.attempt(() => this.readNodes(false), []);
    for (const name of this.compared.keys()) this.used.add(name);
    return nodes;
  }

  /** Reads up to a tag that belongs to an enclosing one, which is left standing. */
  private readNodes(isInside: boolean): TemplateNode[] {
    const nodes: TemplateNode[] = [];
    for (let token = this.tokens[this.next]; token !== undefined; token = this.tokens[this.next]) {
      if (TypeGuards.isTagToken(token)) {
        if (isInside && INNER.includes(token.name)) break;
        this.next += 1;
        nodes.push(this.readTag(token));
      } else {
        this.next += 1;
        const node = this.readLeaf(token);
        if (node !== undefined) nodes.push(node);
      }
    }
    return nodes;
  }

  private readLeaf(token: TopLevelToken): TemplateNode | undefined {
    if (TypeGuards.isHTMLToken(token)) {
      return { kind: 'text', text: token.getContent(), at: token.begin + token.trimLeft };
    }
    if (!TypeGuards.isOutputToken(token)) return undefined;
    return this.attempt(() => {
      const tokenizer = new Tokenizer(this.text, undefined, undefined, token.contentRange);
      const value = tokenizer.readFilteredValue();
      if (!tokenizer.end()) throw new TemplateProblemFound(token.begin, '{{ }} binds one parameter: {{ name }}');
      const output = readOutput(value, token.begin, this.parameters);
      if (Object.hasOwn(this.parameters, output.parameter)) this.used.add(output.parameter);
      // So that the texts without an optional list are looked at, too.
      const definition = this.parameters[output.parameter];
      if (output.maxItems !== undefined && definition !== undefined && isOptional(definition)) {
        remember(output.parameter, [null], this.scope);
      }
      return { kind: 'output', output, at: token.begin };
    }, undefined);
  }

  private readTag({ name, tokenizer, begin }: TagToken): TemplateNode {
    if (name === 'case') return this.readCase(tokenizer, begin);
    if (name === 'if' || name === 'unless') return this.readIf(name, tokenizer, begin);
    if (INNER.includes(name)) throw new TemplateProblemFound(begin, `{% ${name} %} belongs to no tag before it`);
    const hint = didYouMean(name, [...OPENING, ...INNER]);
    throw new TemplateProblemFound(begin, `{% ${name} %} is not a tag of these templates${hint}`, OPENING.join(', '));
  }

  private readIf(tag: 'if' | 'unless', tokenizer: Tokenizer, at: number): TemplateNode {
    const first = this.condition(tokenizer, at);
    const branches = [this.branch(tag === 'if' ? first : (choices) => !first(choices), tag, at)];
    for (let token = this.tokens[this.next]; ; token = this.tokens[this.next]) {
      this.next += 1;
      if (!TypeGuards.isTagToken(token))
        throw new TemplateProblemFound(at, `{% ${tag} %} is not closed`, `{% end${tag} %}`);
      const hasElse = branches.at(-1)?.tag === 'else';
      this.requireAlone(token);
      if (token.name === `end${tag}`) return { kind: 'choice', branches };
      if (token.name === 'elsif' && !hasElse) {
        branches.push(this.branch(this.condition(token.tokenizer, token.begin), 'elsif', token.begin));
      } else if (token.name === 'else' && !hasElse) {
        branches.push(this.branch(() => true, 'else', token.begin));
      } else {
        throw new TemplateProblemFound(token.begin, `{% ${token.name} %} cannot stand here, inside {% ${tag} %}`);
      }
    }
  }

  private readCase(tokenizer: Tokenizer, at: number): TemplateNode {
    const subject = this.attempt(() => readSubject(tokenizer.readFilteredValue().initial, at, this.scope), undefined);
    if (subject !== undefined) this.used.add(subject);
    this.passBlank(at);
    const branches: Branch[] = [];
    const seen = new Set<ChoiceValue>();
    const problemsBefore = this.problems.length;
    for (let token = this.tokens[this.next]; ; token = this.tokens[this.next]) {
      this.next += 1;
      if (!TypeGuards.isTagToken(token))
        throw new TemplateProblemFound(at, '{% case %} is not closed', '{% endcase %}');
      const hasElse = branches.at(-1)?.tag === 'else';
      this.requireAlone(token);
      if (token.name === 'endcase') {
        const isRight = this.problems.length === problemsBefore;
        if (isRight && !hasElse && subject !== undefined) this.checkComplete(subject, seen, at);
        return { kind: 'choice', branches };
      }
      if (token.name === 'when' && !hasElse) {
        const values = subject === undefined ? [] : this.whenValues(token.tokenizer, subject, seen);
        const holds: Condition = (choices) => values.includes(choices.get(subject ?? '') ?? null);
        branches.push(this.branch(holds, 'when', token.begin));
      } else if (token.name === 'else' && !hasElse) {
        branches.push(this.branch(() => true, 'else', token.begin));
      } else {
        throw new TemplateProblemFound(token.begin, `{% ${token.name} %} cannot stand here, inside {% case %}`);
      }
    }
  }

  /** Without this, `{% else if x %}` would be an `else`. */
  private requireAlone({ name, tokenizer, begin }: TagToken): void {
    if (name === 'elsif' || name === 'when') return;
    tokenizer.skipBlank();
    if (tokenizer.end()) return;
    const hint = name === 'else' ? ': write {% elsif … %} for another condition' : '';
    this.scope.report(begin, `{% ${name} %} takes nothing${hint}`);
  }

  private passBlank(at: number): void {
    const token = this.tokens[this.next];
    if (token === undefined || TypeGuards.isTagToken(token)) return;
    if (!TypeGuards.isHTMLToken(token) || token.getContent().trim() !== '') {
      throw new TemplateProblemFound(at, 'what stands before the first {% when %} is never written');
    }
    this.next += 1;
  }

  private whenValues(tokenizer: Tokenizer, subject: string, seen: Set<ChoiceValue>): ChoiceValue[] {
    const values: ChoiceValue[] = [];
    while (!tokenizer.end()) {
      const token = tokenizer.readValueOrThrow();
      const value = readLiteral(token, subject, this.scope);
      if (seen.has(value)) this.scope.report(token.begin, `${JSON.stringify(value)} has a branch above already`);
      seen.add(value);
      values.push(value);
      tokenizer.skipBlank();
      if (tokenizer.peek() === ',') tokenizer.advance();
      else if (!tokenizer.end() && tokenizer.readIdentifier().content !== 'or') {
        throw new TemplateProblemFound(token.end, 'values of {% when %} are separated by commas');
      }
    }
    return values;
  }

  private checkComplete(subject: string, seen: ReadonlySet<ChoiceValue>, at: number): void {
    const definition = this.parameters[subject];
    const open = definition === undefined ? [] : choicesOf(definition).filter((choice) => !seen.has(choice));
    if (open.length === 0) return;
    const names = open.map((choice) => (choice === null ? 'not given (nil)' : JSON.stringify(choice))).join(', ');
    this.scope.report(at, `{% case ${subject} %} has no branch for ${names}: add {% when %} or {% else %}`);
  }

  private condition(tokenizer: Tokenizer, at: number): Condition {
    return this.attempt(
      () => {
        const value = readConditionValue(tokenizer, at);
        if (!tokenizer.end() || value.filters.length > 0) {
          throw new TemplateProblemFound(at, 'a condition compares parameters with values, without filters');
        }
        return readCondition(value.initial, at, this.scope);
      },
      () => true,
    );
  }

  private branch(holds: Condition, tag: string, at: number): Branch {
    return { holds, nodes: this.readNodes(true), at, tag };
  }

  /** Runs a step; what it finds wrong is remembered and reading goes on. */
  private attempt<Result>(step: () => Result, otherwise: Result): Result {
    try {
      return step();
    } catch (error) {
      if (error instanceof TemplateProblemFound) {
        this.scope.report(error.offset, error.message, error.expected);
      } else if (error instanceof TokenizationError) {
        this.scope.report(error.token.begin, formatTokenizerMessage(error.message));
      } else {
        throw error;
      }
      return otherwise;
    }
  }
}

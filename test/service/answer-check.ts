import { createHash } from 'node:crypto';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { compareSpecificity, expressPath } from '../../engine/http/operations/route-path.js';

/** An answer received over HTTP. */
export interface SeenAnswer {
  readonly method: string;
  /** The path and query of the request. */
  readonly path: string;
  readonly status: number;
  header(name: string): string | null;
  readonly body: string;
}

/** Returns how an answer differs from its description, or undefined if they agree. */
export type AnswerCheck = (answer: SeenAnswer) => string | undefined;

/** The statuses that the introduction of the description states for all operations: a part, not modified, and a wrong range. */
const INTRODUCED: ReadonlySet<number> = new Set([206, 304, 416]);

/** Checks answers against the OpenAPI document of a service: status, media type, headers and body. */
export function createAnswerCheck(text: string): AnswerCheck {
  const key = createHash('sha256').update(text).digest('hex');
  const known = checks.get(key) ?? new DocumentCheck(JSON.parse(text) as Document);
  checks.set(key, known);
  return (answer) => known.difference(answer);
}

export interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
}

export interface DocumentOperation {
  readonly operationId: string;
  readonly security: readonly unknown[];
  readonly parameters: readonly DocumentParameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
  readonly responses: Readonly<Record<string, DocumentResponse | { readonly $ref: string }>>;
}

export interface DocumentParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface DocumentResponse {
  readonly 'x-error-codes'?: readonly string[];
  readonly headers: Readonly<Record<string, { readonly required: boolean; readonly schema: Schema }>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

export type Schema = Readonly<Record<string, unknown>>;

/** A cache of checks by document. Most services in a test run have the same document. */
const checks = new Map<string, DocumentCheck>();

const PROBLEM = '#/components/schemas/Problem';
const FAILURE = '#/components/schemas/Failure';
/** Matches paths that are not operations: the reference page, and the pages and files of the console. */
const PAGES = /^\/(docs(\/[\w.-]+)?|(e|ask)(\/[^/]*)?|playground|account|(p|embed|assets)\/.*)\/?$/;

/** The statuses with which the service rejects a request before it looks for an operation: it is malformed, or its body is too large. */
const UNREADABLE = [400, 413];

class DocumentCheck {
  readonly #document: Document;
  readonly #templates: readonly { readonly path: string; readonly pattern: RegExp }[];
  readonly #ajv: Ajv2020;
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: Document) {
    this.#document = document;
    this.#templates = Object.keys(document.paths)
      .sort((a, b) => compareSpecificity(expressPath(a), expressPath(b)))
      .map((path) => ({ path, pattern: patternOf(path) }));
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
    formats.default(this.#ajv);
    this.#ajv.addSchema(document, 'document');
  }

  difference(answer: SeenAnswer): string | undefined {
    const found = this.#difference(answer);
    if (found === undefined) return undefined;
    const shown = answer.body.length > 600 ? `${answer.body.slice(0, 600)}…` : answer.body;
    return `${answer.method} ${answer.path} → ${answer.status}: ${found}\n${shown}`;
  }

  #difference(answer: SeenAnswer): string | undefined {
    const path = answer.path.replace(/[?#].*$/s, '');
    const template = this.#templates.find(({ pattern }) => pattern.test(path))?.path;
    if (answer.method === 'OPTIONS') return undefined;
    if (template === undefined)
      return PAGES.test(path) ? undefined : this.#notServed(answer, PROBLEM, [404, ...UNREADABLE]);
    const isHead = answer.method === 'HEAD';
    const method = isHead ? 'get' : answer.method.toLowerCase();
    const operation = this.#document.paths[template]?.[method];
    const isHeadRejected = isHead && answer.status === 405 && !answer.header('allow')?.includes('HEAD');
    if (operation === undefined || isHeadRejected) {
      const isPublic = template.startsWith('/v1/');
      return this.#notServed(
        answer,
        isPublic ? FAILURE : PROBLEM,
        template === '/v1/{wildcard}' ? [404] : [405, ...UNREADABLE],
      );
    }
    return this.#outside(answer, operation, `/paths/${escaped(template)}/${method}`, isHead);
  }

  /** Checks the answer for a path or method that is not in the document. The answer must be an error with one of `statuses`. */
  #notServed(answer: SeenAnswer, schema: string, statuses: readonly number[]): string | undefined {
    if (!statuses.includes(answer.status)) return `expected ${statuses.join(' or ')}`;
    if (answer.status === 405 && answer.header('allow') === null) return 'expected the header Allow';
    return answer.method === 'HEAD' ? undefined : this.#invalid(schema, answer.body);
  }

  #outside(answer: SeenAnswer, operation: DocumentOperation, place: string, isHead: boolean): string | undefined {
    if (INTRODUCED.has(answer.status)) return undefined;
    const written = operation.responses[answer.status];
    if (written === undefined) return `the description has only ${Object.keys(operation.responses).join(', ')}`;
    const pointer = '$ref' in written ? String(written.$ref).slice(1) : `${place}/responses/${answer.status}`;
    const response = '$ref' in written ? (this.#at(pointer) as DocumentResponse) : written;
    const header = this.#wrongHeader(answer, response);
    if (header !== undefined) return header;
    const types = Object.keys(response.content ?? {});
    if (types.length === 0) return answer.body === '' ? undefined : 'the description has no body';
    const [type = ''] = (answer.header('content-type') ?? '').split(';');
    if (!types.includes(type)) return `its type is ${type}, the description has ${types.join(', ')}`;
    if (isHead || (type !== 'application/json' && !type.endsWith('+json'))) return undefined;
    const invalid = this.#invalid(`#${pointer}/content/${escaped(type)}/schema`, answer.body);
    return invalid ?? wrongError(answer, response['x-error-codes'] ?? []);
  }

  #wrongHeader(answer: SeenAnswer, { headers }: DocumentResponse): string | undefined {
    for (const [name, { required, schema }] of Object.entries(headers)) {
      const value = answer.header(name);
      if (value === null && required) return `the header ${name} is missing`;
      if (value !== null && schema.type === 'integer' && !/^\d+$/.test(value)) return `the header ${name} is ${value}`;
    }
    return undefined;
  }

  #invalid(reference: string, body: string): string | undefined {
    const validate = this.#validators.get(reference) ?? this.#ajv.compile({ $ref: `document${encodeURI(reference)}` });
    this.#validators.set(reference, validate);
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return 'the body is not JSON';
    }
    if (validate(value)) return undefined;
    return (validate.errors ?? [])
      .slice(0, 5)
      .map(({ instancePath, message }) => `${instancePath} ${message}`)
      .join('; ');
  }

  #at(pointer: string): unknown {
    return pointer
      .slice(1)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], this.#document);
  }
}

/** Describes a mismatch of the code or the status in the body of an error. */
function wrongError({ status, body }: SeenAnswer, codes: readonly string[]): string | undefined {
  const { code, data, ...problem } = JSON.parse(body) as ErrorBody;
  const { result } = data ?? {};
  const [bodyCode, bodyStatus] = result === undefined ? [code, problem.status] : [result.error, result.code];
  // In a question, `status` is a text with another meaning.
  if (typeof bodyStatus === 'number' && bodyStatus !== status) return `the body has the status ${bodyStatus}`;
  if (bodyCode === undefined || codes.includes(bodyCode)) return undefined;
  return `the code ${bodyCode} is not one of ${codes.join(', ')}`;
}

interface ErrorBody {
  readonly code?: string;
  readonly status?: number;
  readonly data?: { readonly result?: { readonly error?: string; readonly code: number } };
}

/** Returns a pattern for a path with or without its trailing slash. `{wildcard}` directly below `/v1` matches the rest of a path. */
function patternOf(template: string): RegExp {
  const source = template
    .replace(/(?<=.)\/$/, '')
    .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replace(/^\/v1\/\{wildcard}/, '/v1(/.*)?')
    .replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${source}/?$`);
}

function escaped(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

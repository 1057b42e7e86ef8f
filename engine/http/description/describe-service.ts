import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { DEFAULT_PREFIXES } from '../../definitions/definition-shape.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import type { Operation } from '../operations/operation.js';
import { DEFINITIONS_FOLDER, PACKAGE_ROOT, SERVICE } from '../package-root.js';
import { DATABASE_ERRORS } from '../problems/http-problem.js';
import type { DescribedAnswer, DescribedOperation, DescribedTag, Description, Example } from './description.js';
import { CALLER_CODES, namedOperations, otherOperations, publicOperations } from './endpoint-operations.js';
import { limitedFailures, pageFailures, problemFailures, typedFailures } from './failures.js';
import { COMMON_HEADERS, RATE_LIMIT_HEADERS, STATUS_HEADERS } from './headers.js';
import type { FailureCode } from './names.js';

/** The parts of an API description that do not belong to an operation. */
export interface ServiceFacts {
  /** The beginnings of the paths of definitions. */
  readonly prefixes?: readonly string[];
  /** The title of the description; by default the name of this program. */
  readonly title?: string;
  /** What the service is about; by default the description of this program. */
  readonly summary?: string;
  /** Answers to show as examples; by default those recorded from the demo data. */
  readonly examples?: Examples;
  /** The name of the session cookie; absent if users cannot sign in with a browser. */
  readonly sessionCookie?: string | undefined;
  /** Descriptions of the tags of the hand-written operations and of the definitions, by name. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** Describes all operations that the service offers, with recorded answers as examples. */
export function describeService(
  endpoints: readonly Endpoint[],
  operations: readonly Operation[],
  {
    prefixes = DEFAULT_PREFIXES,
    title = SERVICE.name,
    summary = SERVICE.description,
    examples: recorded,
    sessionCookie,
    tags = {},
  }: ServiceFacts,
): Description {
  const others = [...otherOperations(prefixes), ...handWrittenOperations(operations), ...namedOperations(endpoints)];
  const taken = new Set(others.map(({ id }) => id));
  const published = publicOperations(endpoints).map((it) => (taken.has(it.id) ? { ...it, id: `v1-${it.id}` } : it));
  const examples = examplesFor(endpoints, recorded ?? readExamples());
  const described = [...published, ...others];
  return {
    title,
    summary,
    tags: describeTags(
      described.map(({ tag }) => tag),
      { ...TAGS, ...tags },
    ),
    operations: described.map((operation) => withExamples(operation, examples)),
    sessionCookie,
  };
}

/** Returns the recorded examples, except those for names that definitions of an operator use. */
function examplesFor(endpoints: readonly Endpoint[], recorded: Examples): ReadonlyMap<string, readonly Example[]> {
  const added = endpoints.filter(({ file }) => !file.startsWith(DEFINITIONS_FOLDER));
  const replaced = new Set(added.flatMap(({ definition: { name } }) => [name, `query-${name}`]));
  return new Map(Object.entries(recorded).filter(([id]) => !replaced.has(id)));
}

/** Adds the examples of an operation to its successful answer, which is the first one. */
function withExamples(
  operation: DescribedOperation,
  examples: ReadonlyMap<string, readonly Example[]>,
): DescribedOperation {
  const own = examples.get(operation.id);
  if (own === undefined) return operation;
  const [success, ...failures] = operation.answers;
  if (success === undefined) return operation;
  return { ...operation, answers: [{ ...success, examples: own }, ...failures] };
}

/** Describes the hand-written operations, with their answers and the errors that are possible for operations of their kind. */
function handWrittenOperations(operations: readonly Operation[]): DescribedOperation[] {
  return operations.map((operation) => {
    const { id, method, path, tag, summary, description, access, parameters = {}, body } = operation;
    const failures = failuresOf(operation);
    return {
      id,
      method,
      path,
      tag,
      summary,
      ...(description === undefined ? {} : { description }),
      access,
      ...('acceptsKeys' in operation && { acceptsKeys: true }),
      parameters,
      ...(body === undefined ? {} : { body }),
      answers: mergeByStatus(ownAnswers(operation), failures(codesOf(operation))),
    };
  });
}

function failuresOf({ failureType, failurePage, limit }: Operation) {
  if (failureType !== undefined) return typedFailures(failureType);
  if (failurePage !== undefined) return pageFailures;
  return limit === 'public' ? limitedFailures : problemFailures;
}

const COMMON_CODES: readonly FailureCode[] = ['bad_parameter', 'bad_request', 'internal_error'];
const BODY_CODES: readonly FailureCode[] = ['bad_body', 'body_too_large', 'unsupported_media_type'];
const SIGNED_IN_CODES: readonly FailureCode[] = [
  'credential_missing',
  'credential_invalid',
  'account_disabled',
  'user_not_found',
  'identity_unavailable',
  'state_unavailable',
  ...DATABASE_ERRORS,
];
const ACCESS_CODES: Readonly<Record<Operation['access'], readonly FailureCode[]>> = {
  open: [],
  caller: CALLER_CODES,
  'signed-in': SIGNED_IN_CODES,
  trusted: [...SIGNED_IN_CODES, 'not_trusted'],
};

function codesOf({ access, method, limit, body, errors = [] }: Operation): readonly FailureCode[] {
  const changeCodes: FailureCode[] =
    access === 'open' || access === 'caller' || method === 'get' ? [] : ['cross_site_request', 'rate_limited'];
  const limitCodes: FailureCode[] = limit === 'none' ? [] : ['rate_limited'];
  const bodyCodes = body === undefined ? [] : BODY_CODES;
  return [...COMMON_CODES, ...ACCESS_CODES[access], ...changeCodes, ...limitCodes, ...bodyCodes, ...errors];
}

function ownAnswers({ answer, limit, otherTypes = [], statuses = [200], headers = {} }: Operation): DescribedAnswer[] {
  const content = {
    ...(answer === undefined ? {} : { 'application/json': answer }),
    ...Object.fromEntries(otherTypes.map((type) => [type, TEXT])),
  };
  const own = Object.entries(headers).map(([name, description]) => [
    name,
    { description, schema: TEXT, required: true },
  ]);
  return statuses.map((status) => ({
    status,
    description: STATUS_CODES[status] ?? String(status),
    content: status === NOT_MODIFIED ? {} : content,
    headers: {
      ...COMMON_HEADERS,
      ...STATUS_HEADERS[status],
      ...(limit === 'public' ? RATE_LIMIT_HEADERS : {}),
      ...Object.fromEntries(own),
    },
  }));
}

const NOT_MODIFIED = 304;
const TEXT = { type: 'string' };

/**
 * Merges answers and errors that have the same status, for example 503 of the health check. Clients can distinguish
 * them by the body.
 */
function mergeByStatus(own: readonly DescribedAnswer[], failures: readonly DescribedAnswer[]): DescribedAnswer[] {
  const both = own.map((answer) => {
    const failure = failures.find(({ status }) => status === answer.status);
    return failure === undefined ? answer : { ...answer, content: { ...failure.content, ...answer.content } };
  });
  const others = failures.filter(({ status }) => !own.some((answer) => answer.status === status));
  return [...both, ...others].sort((a, b) => a.status - b.status);
}

/** Returns the tags in order of first use, with their descriptions if known. Definitions of an operator can have unknown tags. */
function describeTags(names: Iterable<string>, known: Readonly<Record<string, string>>): DescribedTag[] {
  return [...new Set(names)].map((name) => {
    const description = Object.hasOwn(known, name) ? known[name] : undefined;
    return description === undefined ? { name } : { name, description };
  });
}

/** Descriptions of the built-in tags. */
const TAGS: Readonly<Record<string, string>> = {
  'Other queries': 'Endpoints that operators add with definition files.',
  Queries: 'Queries by name or as SQL. Cells have native JSON types instead of text.',
  Service: 'The service itself.',
};

/** Answers recorded from the demo data, by the id of their operation. */
export type Examples = Readonly<Record<string, readonly Example[]>>;

export const EXAMPLES_FILE = `${PACKAGE_ROOT}schemas/examples.json`;

export function readExamples(): Examples {
  return JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Examples;
}

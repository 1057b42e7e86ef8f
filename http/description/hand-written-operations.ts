import { STATUS_CODES } from 'node:http';
import type { Operation } from '../operations/operation.js';
import { DATABASE_ERRORS } from '../problems/http-problem.js';
import type { DescribedAnswer, DescribedOperation } from './description.js';
import { limitedFailures, pageFailures, problemFailures, typedFailures } from './failures.js';
import { COMMON_HEADERS, RATE_LIMIT_HEADERS, STATUS_HEADERS } from './headers.js';
import type { FailureCode } from './statuses.js';

/** Describes the hand-written operations, with their own answers and the failures that are possible for their kind. */
export function handWrittenOperations(operations: readonly Operation[]): DescribedOperation[] {
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
  'signed-in': SIGNED_IN_CODES,
  trusted: [...SIGNED_IN_CODES, 'not_trusted'],
};

function codesOf({ access, method, limit, body, errors = [] }: Operation): readonly FailureCode[] {
  const changeCodes: FailureCode[] =
    access === 'open' || method === 'get' ? [] : ['cross_site_request', 'rate_limited'];
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
 * Merges answers and failures that have the same status, for example 503 of the health check. A client can distinguish
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

import { STATUS_CODES } from 'node:http';
import type { Operation } from '../operations/operation.js';
import { DATABASE_ERRORS } from '../problems/http-problem.js';
import type { DescribedAnswer, DescribedOperation } from './description.js';
import { limitedFailures, problemFailures } from './failures.js';
import { EVERY_ANSWER, LIMITS, OF_STATUS } from './headers.js';
import type { FailureCode } from './statuses.js';

export function handWrittenOperations(operations: readonly Operation[]): DescribedOperation[] {
  return operations.map((operation) => {
    const { id, method, path, tag, summary, description, access, limit, parameters = {}, body } = operation;
    const failures = limit === 'public' ? limitedFailures : problemFailures;
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
      answers: byStatus(ownAnswers(operation), failures(codesOf(operation))),
    };
  });
}

const EVERY: readonly FailureCode[] = ['bad_parameter', 'bad_request', 'internal_error'];
const OF_BODY: readonly FailureCode[] = ['bad_body', 'body_too_large', 'unsupported_media_type'];
const SIGNED_IN: readonly FailureCode[] = [
  'credential_missing',
  'credential_invalid',
  'account_disabled',
  'user_not_found',
  'identity_unavailable',
  'state_unavailable',
  ...DATABASE_ERRORS,
];
const OF_ACCESS: Readonly<Record<Operation['access'], readonly FailureCode[]>> = {
  open: [],
  'signed-in': SIGNED_IN,
  trusted: [...SIGNED_IN, 'not_trusted'],
};

function codesOf({ access, method, limit, body, errors = [] }: Operation): readonly FailureCode[] {
  const ofChange: FailureCode[] = access === 'open' || method === 'get' ? [] : ['cross_site_request', 'rate_limited'];
  const ofLimit: FailureCode[] = limit === undefined ? [] : ['rate_limited'];
  const ofBody = body === undefined ? [] : OF_BODY;
  return [...EVERY, ...OF_ACCESS[access], ...ofChange, ...ofLimit, ...ofBody, ...errors];
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
      ...EVERY_ANSWER,
      ...OF_STATUS[status],
      ...(limit === 'public' ? LIMITS : {}),
      ...Object.fromEntries(own),
    },
  }));
}

const NOT_MODIFIED = 304;
const TEXT = { type: 'string' };

/** Of one status, an operation may have answers of its own and failures: the body tells which. */
function byStatus(own: readonly DescribedAnswer[], failures: readonly DescribedAnswer[]): DescribedAnswer[] {
  const both = own.map((answer) => {
    const failure = failures.find(({ status }) => status === answer.status);
    return failure === undefined ? answer : { ...answer, content: { ...failure.content, ...answer.content } };
  });
  const others = failures.filter(({ status }) => !own.some((answer) => answer.status === status));
  return [...both, ...others].sort((a, b) => a.status - b.status);
}

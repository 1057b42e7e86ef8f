import { STATUS_CODES } from 'node:http';
import type { JsonSchema } from '../json-schema.js';
import type { DescribedAnswer, DescribedHeader } from './description.js';
import { COMMON_HEADERS, RATE_LIMIT_HEADERS, STATUS_HEADERS } from './headers.js';
import { type FailureCode, pascalCase, STATUSES } from './names.js';
import { FAILURE, PROBLEM } from './schemas.js';

/** Describes errors with these codes under `/v1`, one answer per status: an envelope with rate limit headers. */
export function envelopeFailures(codes: readonly FailureCode[]): DescribedAnswer[] {
  return describeFailures('Failure', codes, RATE_LIMIT_HEADERS, { 'application/json': FAILURE });
}

/** Describes errors with these codes on other paths, one answer per status: problem details. */
export function problemFailures(codes: readonly FailureCode[]): DescribedAnswer[] {
  return describeFailures('Problem', codes, {}, PROBLEM_DETAILS);
}

/** Like `problemFailures`, but browsers get an HTML page. */
export function pageFailures(codes: readonly FailureCode[]): DescribedAnswer[] {
  return describeFailures('PageProblem', codes, {}, { ...PROBLEM_DETAILS, 'text/html': { type: 'string' } });
}

/** Like `problemFailures`, but each answer also has the rate limit headers. */
export function limitedFailures(codes: readonly FailureCode[]): DescribedAnswer[] {
  return describeFailures('LimitedProblem', codes, RATE_LIMIT_HEADERS, PROBLEM_DETAILS);
}

/** Like `limitedFailures`, but the answers have another media type. */
export function typedFailures(type: string): (codes: readonly FailureCode[]) => DescribedAnswer[] {
  return (codes) => describeFailures(`${type}-failure`, codes, RATE_LIMIT_HEADERS, { [type]: { type: 'string' } });
}

const PROBLEM_DETAILS = { 'application/problem+json': PROBLEM };

function describeFailures(
  kind: string,
  codes: readonly FailureCode[],
  headers: Readonly<Record<string, DescribedHeader>>,
  content: Readonly<Record<string, JsonSchema>>,
): DescribedAnswer[] {
  const statuses = [...new Set(codes.map((code) => STATUSES[code]))].sort((a, b) => a - b);
  return statuses.map((status) => {
    const ofStatus = [...new Set(codes.filter((code) => STATUSES[code] === status))].sort();
    return {
      status,
      name: [kind, ...ofStatus].map(pascalCase).join(''),
      description: `${STATUS_CODES[status] ?? status}: ${ofStatus.map((code) => `\`${code}\``).join(', ')}`,
      codes: ofStatus,
      content,
      headers: { ...COMMON_HEADERS, ...STATUS_HEADERS[status], ...headers },
    };
  });
}

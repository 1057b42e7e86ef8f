import { STATUS_CODES } from 'node:http';
import type { JsonSchema } from '../json-schema.js';
import type { DescribedAnswer, DescribedHeader } from './description.js';
import { EVERY_ANSWER, LIMITS, OF_STATUS } from './headers.js';
import { pascalCase } from './names.js';
import { FAILURE, PROBLEM } from './schemas.js';
import { type FailureCode, STATUSES } from './statuses.js';

/** The answers of these codes under `/v1`, one a status: in the envelope, with the limits told. */
export function envelopeFailures(codes: readonly FailureCode[]): DescribedAnswer[] {
  return failures('Failure', codes, LIMITS, { 'application/json': FAILURE });
}

/** The answers of these codes elsewhere, one a status: problem details. */
export function problemFailures(codes: readonly FailureCode[]): DescribedAnswer[] {
  return failures('Problem', codes, {}, PROBLEM_DETAILS);
}

/** The same where the limits are told. */
export function limitedFailures(codes: readonly FailureCode[]): DescribedAnswer[] {
  return failures('LimitedProblem', codes, LIMITS, PROBLEM_DETAILS);
}

const PROBLEM_DETAILS = { 'application/problem+json': PROBLEM };

function failures(
  kind: string,
  codes: readonly FailureCode[],
  told: Readonly<Record<string, DescribedHeader>>,
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
      headers: { ...EVERY_ANSWER, ...OF_STATUS[status], ...told },
    };
  });
}

import { STATUS_CODES } from 'node:http';
import { PROBLEMS, type ProblemCode } from '../../app-routes/http-problem.js';
import type { JsonSchema } from '../../app-routes/operation.js';
import type { ErrorCode } from '../../engine/index.js';
import { STATUS_OF_ERROR } from '../error-answers.js';
import type { DescribedAnswer, DescribedHeader } from './description.js';
import { EVERY_ANSWER, LIMITS, OF_STATUS } from './headers.js';
import { ENVELOPE, PROBLEM } from './schemas.js';

export type FailureCode = ProblemCode | ErrorCode;

/** The answers of these codes under `/v1`, one a status: in the envelope, with the limits told. */
export function envelopeFailures(codes: readonly FailureCode[]): DescribedAnswer[] {
  return failures('Envelope', codes, LIMITS, (status, ofStatus) => ({
    'application/json': {
      allOf: [
        ENVELOPE,
        {
          type: 'object',
          properties: {
            data: {
              type: 'object',
              properties: {
                columns: { type: 'array', maxItems: 0 },
                rows: { type: 'array', maxItems: 0 },
                result: {
                  type: 'object',
                  required: ['error', 'request_id', 'errors'],
                  properties: {
                    code: { const: status },
                    error: { enum: ofStatus },
                    request_id: { type: 'string' },
                    errors: { type: 'array' },
                  },
                },
              },
            },
          },
        },
      ],
    },
  }));
}

/** The answers of these codes elsewhere, one a status: problem details. */
export function problemFailures(codes: readonly FailureCode[]): DescribedAnswer[] {
  return failures('Problem', codes, {}, problemDetails);
}

/** The same where the limits are told. */
export function limitedFailures(codes: readonly FailureCode[]): DescribedAnswer[] {
  return failures('LimitedProblem', codes, LIMITS, problemDetails);
}

const problemDetails: Content = (status, ofStatus) => ({
  'application/problem+json': {
    allOf: [PROBLEM, { type: 'object', properties: { status: { const: status }, code: { enum: ofStatus } } }],
  },
});

type Content = (status: number, codes: readonly FailureCode[]) => Readonly<Record<string, JsonSchema>>;

const STATUSES: Readonly<Record<FailureCode, number>> = { ...STATUS_OF_ERROR, ...PROBLEMS };

function failures(
  kind: string,
  codes: readonly FailureCode[],
  told: Readonly<Record<string, DescribedHeader>>,
  content: Content,
): DescribedAnswer[] {
  const statuses = [...new Set(codes.map((code) => STATUSES[code]))].sort((a, b) => a - b);
  return statuses.map((status) => {
    const ofStatus = [...new Set(codes.filter((code) => STATUSES[code] === status))].sort();
    return {
      status,
      name: [kind, status, ...ofStatus].join('.'),
      description: `${STATUS_CODES[status] ?? status}: ${ofStatus.map((code) => `\`${code}\``).join(', ')}`,
      content: content(status, ofStatus),
      headers: { ...EVERY_ANSWER, ...OF_STATUS[status], ...told },
    };
  });
}

import type { ErrorCode } from '../../databases/interface/errors.js';
import { STATUS_OF_ERROR } from '../problems/error-answers.js';
import { PROBLEMS, type ProblemCode } from '../problems/http-problem.js';

export type FailureCode = ProblemCode | ErrorCode;

/** The HTTP status of every error code. */
export const STATUSES: Readonly<Record<FailureCode, number>> = { ...STATUS_OF_ERROR, ...PROBLEMS };

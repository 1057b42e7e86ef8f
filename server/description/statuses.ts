import { PROBLEMS, type ProblemCode } from '../../app-routes/http-problem.js';
import type { ErrorCode } from '../../engine/index.js';
import { STATUS_OF_ERROR } from '../error-answers.js';

export type FailureCode = ProblemCode | ErrorCode;

/** The status of every code. */
export const STATUSES: Readonly<Record<FailureCode, number>> = { ...STATUS_OF_ERROR, ...PROBLEMS };

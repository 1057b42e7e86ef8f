import { STATUS_CODES } from 'node:http';

/** The parts of an error that problem details contain. */
export interface ReportedProblem {
  readonly code: string;
  readonly message: string;
  /** One entry per mistake, for errors that can report several. */
  readonly errors?: readonly unknown[] | undefined;
}

/** Returns RFC 9457 problem details as JSON text. `requestId` is the id of the request in the log. */
export function problemDetails({ code, message, errors }: ReportedProblem, status: number, requestId: string): string {
  return JSON.stringify({
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Client Closed Request',
    status,
    code,
    detail: message,
    request_id: requestId,
    errors,
  });
}

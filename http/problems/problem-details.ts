import { STATUS_CODES } from 'node:http';

/** What an error tells. */
export interface Told {
  readonly code: string;
  readonly message: string;
  /** An entry for each thing that is wrong, where there may be several. */
  readonly errors?: readonly unknown[] | undefined;
}

/** An error as the JSON text of RFC 9457 problem details, with the id under which the log has the request. */
export function problemDetails({ code, message, errors }: Told, status: number, requestId: string): string {
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

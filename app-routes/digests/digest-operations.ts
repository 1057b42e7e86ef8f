import { VISITOR } from '../../accounts/audit-log.js';
import { isTimeZone } from '../../accounts/digest-times.js';
import type { DigestStatus, Digests } from '../../accounts/digests.js';
import { isEmailAddress } from '../../accounts/identity/account-fields.js';
import type { UnsubscribeTokens } from '../../accounts/unsubscribe-tokens.js';
import { RemovedUserError, type Users } from '../../accounts/users.js';
import { escapeHtml } from '../../engine/http/escape-html.js';
import { exactObject } from '../../engine/http/json-schema.js';
import type { Caller } from '../../engine/http/operations/caller.js';
import type { FailureToShow, Operation, OperationRequest, Reply } from '../../engine/http/operations/operation.js';
import { writePlainPage } from '../../engine/http/plain-page.js';
import { DATABASE_ERRORS, HttpProblem } from '../../engine/http/problems/http-problem.js';
import { formatValue } from '../../engine/http/requests/format-value.js';
import { requestSchema } from '../../engine/http/requests/request-schema.js';
import { throwIfRemoved } from '../sign-in/identify.js';

export interface DigestOperationParts {
  readonly digests: Pick<Digests, 'find'>;
  readonly users: Pick<Users, 'setEmailUpdates'>;
  readonly tokens: () => Promise<UnsubscribeTokens>;
  /** Whether the service sends digests. */
  readonly isAvailable: boolean;
}

/**
 * `/user/digest/` returns when the signed-in user gets the next digest, and changes it. `/unsubscribe/{token}` ends the digests of a user without sign-in:
 * GET shows a page with a button, and POST, which mail programs also send (RFC 8058), ends them. GET changes nothing, because programs that
 * check e-mails follow their links.
 */
export function digestOperations({ digests, users, tokens, isAvailable }: DigestOperationParts): Operation[] {
  const readUser = async ({ parameters }: OperationRequest): Promise<number> => {
    const userId = (await tokens()).read(String(parameters.token));
    if (userId !== undefined) return userId;
    throw new HttpProblem('unsubscribe_link_invalid', 'This link is incomplete or not from this service.');
  };
  const describe = ({ email }: Caller, digest: DigestStatus | undefined) => {
    return { isAvailable, hasAddress: isEmailAddress(email), ...(digest ?? NO_DIGEST) };
  };
  return [
    {
      access: 'signed-in',
      tag: 'User',
      id: 'get-digest',
      method: 'get',
      path: '/user/digest/',
      summary: 'Returns when the signed-in user gets the next weekly digest',
      answer: USER_DIGEST,
      handle: async ({ caller }) => ({ body: describe(caller, await digests.find(caller.id)) }),
    },
    {
      access: 'signed-in',
      tag: 'User',
      id: 'set-digest',
      method: 'put',
      path: '/user/digest/',
      summary: 'Enables or disables the weekly digest, and sets its time zone',
      description:
        "The digest is due on Monday at 8 o'clock in the time zone. Updates by e-mail (`/user/email-updates/`) are the same setting.",
      body: requestSchema('digest'),
      answer: USER_DIGEST,
      handle: async ({ caller, body, now }) => {
        const { enable, timeZone } = body as { readonly enable: boolean; readonly timeZone?: string };
        if (timeZone !== undefined) requireTimeZone(timeZone);
        const digest = await users.setEmailUpdates(caller.id, enable, now, { timeZone }).catch(throwIfRemoved);
        return { body: describe(caller, digest) };
      },
    },
    {
      ...UNSUBSCRIBE,
      id: 'show-unsubscribe',
      method: 'get',
      summary: 'Shows a page with a button that ends the weekly digests of a user',
      handle: async (request: OperationRequest) => {
        await readUser(request);
        return pageReply('Stop the weekly e-mails?', CONFIRMATION);
      },
    },
    {
      ...UNSUBSCRIBE,
      id: 'unsubscribe-by-link',
      method: 'post',
      summary: 'Ends the weekly digests of a user, without sign-in',
      description: 'Mail programs send this request for the header `List-Unsubscribe` (RFC 8058). A body is ignored.',
      errors: [...UNSUBSCRIBE.errors, 'state_unavailable', ...DATABASE_ERRORS],
      handle: async (request: OperationRequest) => {
        const userId = await readUser(request);
        await users.setEmailUpdates(userId, false, request.now, { actor: VISITOR }).catch((error: unknown) => {
          if (!(error instanceof RemovedUserError)) throw error;
        });
        return pageReply('You get no more weekly e-mails.', DONE);
      },
    },
  ];
}

function requireTimeZone(given: string): void {
  if (isTimeZone(given)) return;
  const [expected, got] = ['the name of a time zone, such as Europe/Berlin', formatValue(given)];
  const message = `timeZone must be ${expected}, got ${got}`;
  throw new HttpProblem('bad_body', message, { errors: [{ pointer: '/timeZone', expected, got, message }] });
}

const NO_DIGEST = { timeZone: null, nextAt: null, sentAt: null, undeliverableSince: null };

const TIME_OR_NULL = { type: ['string', 'null'], format: 'date-time' };

export const DIGEST_PROPERTIES = {
  timeZone: { type: ['string', 'null'], description: 'The time zone of the digest; null if it is disabled.' },
  nextAt: { ...TIME_OR_NULL, description: 'When the next digest is due; null if it is disabled or undeliverable.' },
  sentAt: { ...TIME_OR_NULL, description: 'When the last digest was sent; null before the first one.' },
  undeliverableSince: {
    ...TIME_OR_NULL,
    description: 'When a mail server rejected the address of the user; null if it did not.',
  },
};

const USER_DIGEST = exactObject('UserDigest', {
  isAvailable: { type: 'boolean', description: 'Whether this service sends digests.' },
  hasAddress: { type: 'boolean', description: 'Whether an e-mail address of the user is known.' },
  ...DIGEST_PROPERTIES,
});

const UNSUBSCRIBE = {
  access: 'open',
  tag: 'User',
  path: '/unsubscribe/{token}/',
  parameters: {
    token: { in: 'path', type: 'string', maxLength: 64, description: 'The token in the links of the e-mails.' },
  },
  isPrivate: true,
  otherTypes: ['text/html'],
  errors: ['unsubscribe_link_invalid'],
  failurePage: ({ message }: FailureToShow) =>
    writePlainPage(
      'The e-mails were not stopped',
      `<p>${escapeHtml(message)}</p>\n<p>You can also stop them on your account page.</p>`,
    ),
} as const;

const CONFIRMATION = `<p>You can enable them again on your account page.</p>
<form method="post"><button type="submit">Stop the e-mails</button></form>`;
const DONE = '<p>You can enable them again on your account page.</p>';

function pageReply(heading: string, content: string): Reply {
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
  return { body: writePlainPage(heading, content), type: 'html', headers: { 'Content-Security-Policy': policy } };
}

import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { isPrivateHost } from '../settings/private-hosts.js';

export interface Mail {
  readonly from: string;
  readonly to: string;
  /** The whole message (RFC 5322). */
  readonly text: Buffer;
}

export interface Delivery {
  /**
   * `sent`: the mail server accepted the message. `rejected`: it does not know the address. `failed`: the message was certainly not sent.
   * `unknown`: the mail server got the text, but did not answer whether it accepted it. `withdrawn`: `begin` returned false.
   */
  readonly outcome: 'sent' | 'rejected' | 'failed' | 'unknown' | 'withdrawn';
  /** What went wrong, without the address; empty if the message was sent. */
  readonly detail: string;
  /** Whether a message to another address would fail too, for example because the mail server is not available. */
  readonly isGeneral: boolean;
}

/**
 * Sends a message on a new connection to the mail server at `url`, see `parseSmtpUrl`. Calls `begin` when the mail server is ready for the
 * text, and sends the text only if `begin` resolves to true. Closes the connection when `limit` aborts. Never rejects.
 */
export async function sendMail(
  mail: Mail,
  url: string,
  limit: AbortSignal,
  begin: () => Promise<boolean>,
): Promise<Delivery> {
  const progress: Progress = { step: 'opening' };
  const connection = new SMTPConnection(connectionOptions(url));
  try {
    await deliver(connection, mail, url, limit, progress, begin);
    return { outcome: 'sent', detail: '', isGeneral: false };
  } catch (error) {
    return failureOf(error as SmtpError, mail, progress);
  } finally {
    connection.close();
  }
}

interface Progress {
  step: 'opening' | 'open' | 'withdrawn' | 'writing';
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly command?: string;
}

function connectionOptions(url: string) {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    host,
    ...(port !== '' && { port: Number(port) }),
    secure: protocol === 'smtps:',
    // Without TLS, other hosts could read the messages and the password.
    requireTLS: !isPrivateHost(host),
  };
}

async function deliver(
  connection: SMTPConnection,
  { from, to, text }: Mail,
  url: string,
  limit: AbortSignal,
  progress: Progress,
  begin: () => Promise<boolean>,
): Promise<void> {
  limit.throwIfAborted();
  const failed = new Promise<never>((_, reject) => {
    limit.addEventListener('abort', () => reject(new Error('The mail server did not answer in time.')), { once: true });
    connection.once('error', reject);
    connection.once('end', () => reject(new Error('The mail server closed the connection.')));
  });
  // After the race below has ended, a failure of the connection has no effect.
  failed.catch(() => undefined);
  const step = (start: (done: (error?: Error | null) => void) => void) =>
    Promise.race([
      failed,
      new Promise<void>((resolve, reject) => start((error) => (error ? reject(error) : resolve()))),
    ]);
  await step((done) => connection.connect(done));
  const { username, password } = new URL(url);
  if (username !== '') {
    const credentials = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
    await step((done) => connection.login(credentials, done));
  }
  progress.step = 'open';
  // The connection reads the text after the mail server has accepted the addresses and is ready for the text.
  const written = Readable.from(
    (async function* () {
      progress.step = (await begin()) ? 'writing' : 'withdrawn';
      if (progress.step === 'withdrawn') throw new Error('The message is not sent any more.');
      yield text;
    })(),
  );
  await step((done) => connection.send({ from, to, size: text.length }, written, done));
}

function failureOf(error: SmtpError, { to }: Mail, { step }: Progress): Delivery {
  const { responseCode, command, response = error.message } = error;
  const detail = maskAddress(response, to).slice(0, MAX_DETAIL);
  if (step === 'withdrawn') return { outcome: 'withdrawn', detail, isGeneral: false };
  if (step === 'writing') {
    const isAnswer = responseCode !== undefined && command === 'DATA';
    return { outcome: isAnswer ? 'failed' : 'unknown', detail, isGeneral: !isAnswer };
  }
  if (isAddressRejected(error)) return { outcome: 'rejected', detail, isGeneral: false };
  return { outcome: 'failed', detail, isGeneral: step === 'opening' || isGeneral(error) };
}

const MAX_DETAIL = 300;

/** Replaces addresses, and the name in the address of the recipient, in a text from a mail server. */
function maskAddress(text: string, address: string): string {
  const name = address.slice(0, address.lastIndexOf('@')).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return text
    .replaceAll(/\S*@\S*/g, '<address>')
    .replaceAll(new RegExp(`(?<![\\p{L}\\p{N}])${name}(?![\\p{L}\\p{N}])`, 'giu'), '<address>');
}

/** The status of an answer (RFC 3463), such as `5.1.1`; empty without one. */
function statusOf({ response = '' }: SmtpError): string {
  return /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? '';
}

/** Whether the mail server does not know the address. Other permanent rejections can concern the sender or the content. */
function isAddressRejected(error: SmtpError): boolean {
  if (error.command !== 'RCPT TO') return false;
  const status = statusOf(error);
  return status === '' ? [550, 551, 553].includes(error.responseCode ?? 0) : UNKNOWN_ADDRESS.test(status);
}

/** Unknown mailbox, host or syntax of the recipient, moved mailbox, domain without mail, and disabled mailbox. */
const UNKNOWN_ADDRESS = /^5\.(1\.(1|2|3|6|10)|2\.1)$/;
/** The address of the sender is wrong. */
const WRONG_SENDER = /^[45]\.1\.[78]$/;

/** Whether a failure after the sign-in, and before the text, would be the same for other addresses. */
function isGeneral(error: SmtpError): boolean {
  const { code = '', command, responseCode } = error;
  if (responseCode === undefined) return !['EENVELOPE', 'EMESSAGE'].includes(code);
  if (responseCode === CLOSING || WRONG_SENDER.test(statusOf(error))) return true;
  return command === 'MAIL FROM' && responseCode !== TOO_LARGE;
}

/** "Service not available, closing transmission channel" (RFC 5321). */
const CLOSING = 421;
/** "Requested mail action aborted: exceeded storage allocation" (RFC 5321): the message is too large. */
const TOO_LARGE = 552;

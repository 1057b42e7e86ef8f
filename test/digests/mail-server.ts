import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A message that a mail server accepted. */
export interface AcceptedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
}

/** The answer of a mail server to a step: undefined accepts it; a text such as `550 5.1.1 No such user` rejects it. */
type Answer = () => Promise<string | undefined>;

export interface MailServer {
  readonly port: number;
  readonly accepted: AcceptedMail[];
  /** The answers from now on. */
  onSender: Answer;
  onRecipient: Answer;
  /** Called after the text was received. */
  onText: Answer;
  close(): Promise<void>;
}

const ACCEPT: Answer = async () => undefined;

/** Starts a mail server on a free port, without TLS. */
export async function startMailServer(): Promise<MailServer> {
  const accepted: AcceptedMail[] = [];
  const mails = {
    port: 0,
    accepted,
    onSender: ACCEPT,
    onRecipient: ACCEPT,
    onText: ACCEPT,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 1,
    onMailFrom: (_address, _session, done) => void mails.onSender().then((rejection) => done(errorOf(rejection))),
    onRcptTo: (_address, _session, done) => void mails.onRecipient().then((rejection) => done(errorOf(rejection))),
    onData: (stream, { envelope }, done) => {
      void buffer(stream).then(async (bytes) => {
        const rejection = await mails.onText();
        if (rejection === undefined) {
          const { mailFrom, rcptTo } = envelope;
          const from = mailFrom === false ? '' : (mailFrom?.address ?? '');
          accepted.push({ from, to: rcptTo.map(({ address }) => address), text: bytes.toString() });
        }
        done(errorOf(rejection));
      });
    },
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  mails.port = (listening.address() as AddressInfo).port;
  return mails;
}

function errorOf(rejection: string | undefined): Error | null {
  if (rejection === undefined) return null;
  const [, code = '', message = ''] = /^(\d{3}) (.*)$/.exec(rejection) ?? [];
  return Object.assign(new Error(message), { responseCode: Number(code) });
}

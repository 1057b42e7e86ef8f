import { parseMailbox, parseSmtpUrl } from './forms.js';
import { optionalText, secret } from './setting.js';

/** The settings of e-mail. */
export const MAIL_SETTINGS = {
  smtpUrl: secret({
    name: 'SMTP_URL',
    parse: parseSmtpUrl,
    help: 'URL of the mail server that sends the weekly digests of subscriptions, such as `smtp://user:password@mail.example:587`, or `smtps://…` for TLS from the start. With `smtp://`, the server must offer STARTTLS unless it is in a private network. Unset: no digest is sent.',
    when: 'users want a weekly e-mail about their subscriptions',
  }),
  mailFrom: optionalText({
    name: 'MAIL_FROM',
    form: '<mailbox>',
    parse: parseMailbox,
    help: 'Sender of the digests, such as `Repo Insight <digest@mail.example>`. Required with SMTP_URL.',
    when: 'you set SMTP_URL',
  }),
} as const;

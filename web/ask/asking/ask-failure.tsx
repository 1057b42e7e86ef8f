import { SignInLink } from '../../account/sign-in-notice.js';
import { RepoInsightError } from '../../api/generated/client.js';
import { formatNumber } from '../../parts/format/format.js';
import { ErrorMessage } from '../../parts/messages/error-message.js';
import { Message } from '../../parts/messages/message.js';

/** Why a question was not accepted, and what the user can do. */
export function AskFailure({ error }: { readonly error: unknown }) {
  if (!(error instanceof RepoInsightError)) return <ErrorMessage error={error} />;
  if (error.status === 401)
    return (
      <Message tone="danger" role="alert" title="Your session has ended" actions={<SignInLink />}>
        <p>Sign in again, then ask the question again.</p>
      </Message>
    );
  const title = TITLES[error.code];
  if (title === undefined) return <ErrorMessage error={error} />;
  const { retryAfterSeconds: seconds } = error;
  return (
    <Message tone="danger" role="alert" title={title}>
      <p>{error.message}</p>
      {seconds !== undefined && <p>Try again {formatWait(seconds)}.</p>}
    </Message>
  );
}

const TITLES: Readonly<Record<string, string>> = {
  too_many_questions: 'Too many questions',
  rate_limited: 'Too many requests',
  overloaded: 'The service is busy',
  question_too_long: 'The question is too long',
  bad_body: 'The question cannot be read',
  state_unavailable: 'This service cannot store questions',
  account_disabled: 'An operator disabled your account',
};

function formatWait(seconds: number): string {
  if (seconds < 90) return `in ${formatNumber(seconds)} seconds`;
  return `in ${formatNumber(Math.ceil(seconds / 60))} minutes`;
}

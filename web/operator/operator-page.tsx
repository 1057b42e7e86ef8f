import { useQuery } from '@tanstack/react-query';
import { SignInNotice } from '../account/sign-in-notice.js';
import { useSession } from '../account/use-session.js';
import { type OperatorStatus, operatorQuery } from '../api/operator.js';
import { formatTime } from '../parts/format/format.js';
import { PageHeader } from '../parts/layout/page-header.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import { Message } from '../parts/messages/message.js';
import { CacheCard } from './cache-card.js';
import { DefinitionsCard } from './definitions-card.js';
import { ImportsCard } from './imports-card.js';
import { KeysCard } from './keys-card.js';
import styles from './operator.module.css';
import { QueriesCard } from './queries-card.js';
import { ServiceCard } from './service-card.js';
import { TrackingCard } from './tracking-card.js';
import { useSecondsSince } from './use-seconds-since.js';

/** The state of the service, for trusted users. */
export function OperatorPage() {
  const { session, state, error, refetch } = useSession();
  const user = session?.user ?? null;
  return (
    <article className={styles.page}>
      <PageHeader title="Operator" description="The state of this service. It is read again every 10 seconds." />
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {state === 'loading' && error === null && <Loading height={120} label="Loading the account" />}
      <SignInNotice state={state} purpose="see the state of the service" />
      {user !== null && (user.isTrusted ? <Status /> : <NotTrusted login={user.login} />)}
    </article>
  );
}

function NotTrusted({ login }: { readonly login: string }) {
  return (
    <Message tone="warning" title="Only trusted users see the state of the service">
      <p>
        An operator can trust you with <code>repo-insight user trust {login}</code>.
      </p>
    </Message>
  );
}

function Status() {
  const { data, error, dataUpdatedAt, refetch } = useQuery(operatorQuery);
  if (data === undefined && error === null) return <Loading height={480} label="Loading the state of the service" />;
  return (
    <>
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <Cards status={data} readAt={dataUpdatedAt} />}
    </>
  );
}

function Cards({ status, readAt }: { readonly status: OperatorStatus; readonly readAt: number }) {
  return (
    <>
      <Age at={status.at} readAt={readAt} />
      <div className={styles.cards}>
        <ServiceCard status={status} />
        <ImportsCard status={status} />
        <QueriesCard queries={status.queries} />
        <CacheCard cache={status.cache} />
        <KeysCard keys={status.keys} />
        {status.tracking !== null && <TrackingCard tracking={status.tracking} />}
      </div>
      <DefinitionsCard definitions={status.definitions} />
    </>
  );
}

/** A failed read keeps the previous state, so its age must be visible. */
const OLD_SECONDS = 30;

function Age({ at, readAt }: { readonly at: string; readonly readAt: number }) {
  const seconds = useSecondsSince(readAt);
  const text = `Read ${seconds === 1 ? '1 second' : `${seconds} seconds`} ago, at ${formatTime(at)}.`;
  if (seconds < OLD_SECONDS) return <p className={styles.age}>{text}</p>;
  return (
    <Message tone="warning" title="This state is old">
      <p>{text}</p>
    </Message>
  );
}

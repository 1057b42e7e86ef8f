import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { definitionsQuery } from '../api/definitions.js';
import { RepoInsightError } from '../api/generated/client.js';
import { PageHeader } from '../parts/layout/page-header.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { nearNames } from './near-names.js';

export interface EndpointErrorProps {
  readonly name: string;
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** Shows why an endpoint cannot be shown. For an unknown name, it links to endpoints with similar names. */
export function EndpointError({ name, error, onRetry }: EndpointErrorProps) {
  const isUnknown = error instanceof RepoInsightError && error.code === 'query_not_found';
  const { data } = useQuery({ ...definitionsQuery, enabled: isUnknown });
  const near = nearNames(name, data?.map((one) => one.name) ?? []);
  return (
    <>
      <PageHeader title={name} />
      <ErrorMessage error={error} {...(!isUnknown && { onRetry })}>
        {near.length > 0 && (
          <>
            <p>Did you mean:</p>
            <ul>
              {near.map((other) => (
                <li key={other}>
                  <Link to="/e/$name" params={{ name: other }}>
                    {other}
                  </Link>
                </li>
              ))}
            </ul>
          </>
        )}
        <p>
          <Link to="/e">All endpoints</Link>
        </p>
      </ErrorMessage>
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type DefinitionSummary, definitionsQuery } from '../api/definitions.js';
import { Empty } from '../parts/messages/empty.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import { groupDefinitions, OTHERS } from './group-definitions.js';
import styles from './list.module.css';
import { StateBadges } from './state-badges.js';

/** The definitions that contain all words of the filter, by tag. */
export function EndpointGroups({ filter }: { readonly filter: string }) {
  const { data, error, refetch } = useQuery(definitionsQuery);
  const groups = groupDefinitions(data ?? [], filter);
  return (
    <>
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading height={640} label="The endpoints are being loaded" />}
      {data !== undefined && groups.length === 0 && (
        <Empty title={`No endpoint matches “${filter}”`}>Delete a word to see more.</Empty>
      )}
      {groups.map(({ tag, definitions }) => (
        <section key={tag} aria-label={tag}>
          <h2>{groups.length === 1 && tag === OTHERS ? 'Endpoints' : tag}</h2>
          <ul className={styles.grid}>
            {definitions.map((definition) => (
              <Item key={definition.name} definition={definition} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Item({ definition }: { readonly definition: DefinitionSummary }) {
  const { name, path, summary } = definition;
  return (
    <li className={styles.item}>
      <Link to="/e/$name" params={{ name }}>
        {summary ?? name}
      </Link>
      <code>{path ?? `/q/${name}`}</code>
      <StateBadges {...definition} />
    </li>
  );
}

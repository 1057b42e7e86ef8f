import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDeferredValue, useMemo } from 'react';
import { definitionsQuery } from '../../api/definitions.js';
import styles from '../style/ask.module.css';
import { matchDefinitions } from './match-definitions.js';

/** Endpoints that answer questions like this one. These endpoints need no account and no model. */
export function DefinitionMatches({ question }: { readonly question: string }) {
  const { data = [] } = useQuery(definitionsQuery);
  const text = useDeferredValue(question);
  const matches = useMemo(() => matchDefinitions(text, data), [text, data]);
  return (
    <div className={styles.matches} aria-live="polite">
      {matches.length > 0 && (
        <>
          <p className={styles.soft}>Endpoints that may answer this directly:</p>
          <ul className={styles.list}>
            {matches.map(({ name, summary, params }) => (
              <li key={name}>
                <Link to="/e/$name" params={{ name }} search={params}>
                  {summary}
                </Link>
                {params.owner !== undefined && (
                  <span className={styles.soft}>
                    {' '}
                    for {params.owner}/{params.repo}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

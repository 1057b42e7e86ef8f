import type { MouseEvent } from 'react';
import { ROOT_PATH } from '../app/root-url.js';
import { Icon } from '../parts/layout/icon.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import styles from './search-dialog.module.css';
import type { SearchGroup } from './search-group.js';
import type { SearchResult } from './search-result.js';

interface SearchResultsProps {
  readonly id: string;
  readonly groups: readonly SearchGroup[];
  /** The number of the chosen result, counted over all groups. */
  readonly active: number;
  readonly state: {
    readonly text: string;
    readonly isLoading: boolean;
    readonly error: Error | null;
    readonly retry: () => void;
  };
  readonly onOpen: (result: SearchResult) => void;
  readonly onPoint: (path: string) => void;
}

/** The id of the element of a result. */
export const optionId = (index: number): string => `search-result-${index}`;

export function SearchResults({ id, groups, active, state, onOpen, onPoint }: SearchResultsProps) {
  const { text, isLoading, error, retry } = state;
  const count = groups.reduce((sum, { results }) => sum + results.length, 0);
  const message = isLoading ? 'Searching…' : `${count === 1 ? '1 result' : `${count} results`}`;
  let index = -1;
  return (
    <div className={styles.results}>
      {error !== null && !isLoading && <ErrorMessage error={error} onRetry={retry} />}
      {count === 0 && error === null && (
        <p className={styles.empty}>{isLoading ? 'Searching…' : `No result for “${text}”.`}</p>
      )}
      <div role="listbox" id={id} aria-label="Results" aria-busy={isLoading}>
        {groups.map(({ title, icon, results }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options has no separate element
          <div key={title} role="group" aria-label={title} className={styles.group}>
            <div className={styles.title} aria-hidden="true">
              {title}
            </div>
            {results.map((result) => {
              index += 1;
              const number = index;
              return (
                <Option
                  key={result.path}
                  id={optionId(number)}
                  isActive={number === active}
                  {...{ result, icon, onOpen }}
                  onPoint={() => onPoint(result.path)}
                />
              );
            })}
          </div>
        ))}
      </div>
      <div className={styles.foot}>
        <span role="status">{text === '' ? '' : message}</span>
        <span className={styles.keys} aria-hidden="true">
          <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>↵</kbd> open
        </span>
      </div>
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly isActive: boolean;
  readonly result: SearchResult;
  readonly icon: SearchGroup['icon'];
  readonly onOpen: (result: SearchResult) => void;
  readonly onPoint: () => void;
}

/** A result as a link, so that the browser can open it in another tab. The focus stays in the search field. */
function Option({ id, isActive, result, icon, onOpen, onPoint }: OptionProps) {
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onOpen(result);
  };
  return (
    <a
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      href={`${ROOT_PATH}${result.path}`}
      className={styles.option}
      onClick={onClick}
      onPointerMove={isActive ? undefined : onPoint}
    >
      <Icon name={icon} />
      <span className={styles.name}>{result.title}</span>
      {result.detail !== undefined && <span className={styles.detail}>{result.detail}</span>}
    </a>
  );
}

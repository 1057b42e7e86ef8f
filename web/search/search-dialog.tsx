import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { ConsoleSearch } from '../../app-routes/console/answers.js';
import { definitionsQuery } from '../api/definitions.js';
import { callOperation } from '../api/operations.js';
import { OWN_API } from '../app/own-api.js';
import { ROOT_PATH } from '../app/root-url.js';
import { Icon } from '../parts/layout/icon.js';
import styles from './search-dialog.module.css';
import { groupResults, initialGroups } from './search-group.js';
import type { SearchResult } from './search-result.js';
import { optionId, SearchResults } from './search-results.js';
import { useSettled } from './use-settled.js';
import { readVisits } from './visits.js';

const MAX_LENGTH = 140;
const LIST = 'search-results';

/** The search: a dialog with a text field and the results by kind. Cursor keys choose a result, and Enter opens it. */
export function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  // The path of the selected result. The position is not used, because later results can change it.
  const [chosen, setChosen] = useState<string>();
  const [waiting, setWaiting] = useState<'here' | 'new tab'>();
  const { groups, state } = useSearch(withoutAddress(text.trim()));
  const results = useMemo(() => groups.flatMap((group) => group.results), [groups]);
  const index = results.findIndex(({ path }) => path === chosen);
  const current = index < 0 ? Math.min(0, results.length - 1) : index;
  const open = useOpenResult(() => dialog.current?.close());
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    document.getElementById(optionId(current))?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  // After Enter, waits until the results for the whole text are loaded, so that no result for only the first letters is opened.
  useEffect(() => {
    if (waiting === undefined || state.isLoading) return;
    setWaiting(undefined);
    const result = results[current];
    if (result !== undefined) open(result, waiting === 'new tab');
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.nativeEvent.isComposing) return;
    if (step !== undefined && results.length > 0) {
      setChosen(results[(current + step + results.length) % results.length]?.path);
    } else if (event.key === 'Enter') setWaiting(event.ctrlKey || event.metaKey ? 'new tab' : 'here');
    else return;
    event.preventDefault();
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the Escape key closes a dialog in every browser
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label="Search"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <div className={styles.content}>
        <div className={styles.field}>
          <Icon name="search" size={18} />
          <input
            type="text"
            role="combobox"
            aria-label={
              OWN_API === undefined
                ? 'Search repositories, people, collections, endpoints and pages'
                : 'Search endpoints and pages'
            }
            aria-autocomplete="list"
            aria-expanded={results.length > 0}
            aria-controls={LIST}
            aria-activedescendant={results.length > 0 ? optionId(current) : undefined}
            placeholder={OWN_API === undefined ? 'Repository, person, collection or endpoint' : 'Endpoint or page'}
            autoComplete="off"
            spellCheck={false}
            maxLength={MAX_LENGTH}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setChosen(undefined);
              setWaiting(undefined);
            }}
            onKeyDown={onKeyDown}
          />
          <button type="button" className={styles.close} onClick={() => dialog.current?.close()}>
            Esc<span className={styles.hidden}>: close the search</span>
          </button>
        </div>
        <SearchResults id={LIST} groups={groups} active={current} state={state} onOpen={open} onPoint={setChosen} />
      </div>
    </dialog>
  );
}

/** Returns the `owner/name` or the login of an address on GitHub. Other texts are returned unchanged. */
function withoutAddress(text: string): string {
  const [, path = ''] = ADDRESS.exec(text) ?? [];
  const [first = '', second = ''] = path.split(/[/?#]/);
  if (first === 'orgs' && second !== '') return second;
  if (first === '' || GITHUB_PAGES.has(first.toLowerCase())) return text;
  return second === '' ? first : `${first}/${second.replace(/\.git$/, '')}`;
}

const ADDRESS = /^(?:git\+)?(?:\w+:\/\/)?(?:\w+@)?(?:www\.)?github\.com(?::\d+\/|[/:])([\w.-].*)$/i;
/** The first parts of paths that are not names of owners. */
const GITHUB_PAGES = new Set([
  ...['about', 'explore', 'features', 'issues', 'login', 'marketplace', 'notifications', 'orgs', 'pulls', 'search'],
  ...['settings', 'sponsors', 'topics', 'trending'],
]);

function useSearch(text: string) {
  const settled = useSettled(text, 150);
  const definitions = useQuery(definitionsQuery);
  const names = useQuery({
    queryKey: ['search', settled],
    queryFn: ({ signal }) =>
      callOperation<ConsoleSearch>(`console/search/?${new URLSearchParams({ q: settled })}`, { signal }),
    // Only the data of GitHub have names to search.
    enabled: settled !== '' && OWN_API === undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const groups = useMemo(
    () => (text === '' ? initialGroups(readVisits()) : groupResults(text, definitions.data ?? [], names.data)),
    [text, definitions.data, names.data],
  );
  const isLoading = text !== '' && (settled !== text || names.isFetching);
  const error = text === '' ? null : (names.error ?? definitions.error);
  return { groups, state: { text, isLoading, error, retry: () => void names.refetch() } };
}

/** Returns a function that closes the search and opens a result. */
function useOpenResult(close: () => void) {
  const router = useRouter();
  return ({ path, isOutside }: SearchResult, inNewTab = false) => {
    const href = `${ROOT_PATH}${path}`;
    if (inNewTab) return void window.open(href, '_blank', 'noopener');
    close();
    if (isOutside === true) window.location.assign(href);
    else void router.navigate({ href });
  };
}

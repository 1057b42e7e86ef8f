import { CatchBoundary } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Icon } from '../parts/layout/icon.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import styles from './search-button.module.css';

const loadDialog = async () => ({ default: (await import('./search-dialog.js')).SearchDialog });
const SearchDialog = lazy(loadDialog);
/** A failure is ignored here, because it is shown when the search opens. */
const preloadDialog = () => void loadDialog().catch(() => undefined);

/** The delay before preloading, so that the content of the page is loaded first. */
const PRELOAD_MS = 2_500;

/** Opens the search, also with `/` and with Ctrl+K or Cmd+K. The search is loaded when it is needed. */
export function SearchButton() {
  /** The number of the open search; undefined if it is closed. */
  const [opened, setOpened] = useState<number>();
  useEffect(() => {
    // Preloads the dialog, so that the user can type as soon as the search is open.
    const timer = setTimeout(preloadDialog, PRELOAD_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return;
      event.preventDefault();
      setOpened(nextNumber);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <button
        type="button"
        className={styles.button}
        aria-label="Search"
        aria-haspopup="dialog"
        aria-keyshortcuts="/ Control+K Meta+K"
        onPointerEnter={preloadDialog}
        onClick={() => setOpened(nextNumber)}
      >
        <Icon name="search" />
        <span className={styles.text}>Search…</span>
        <kbd>/</kbd>
      </button>
      {opened !== undefined && (
        <CatchBoundary getResetKey={() => 'search'} errorComponent={SearchFailure}>
          <Suspense>
            <SearchDialog
              key={opened}
              // The browser reports the closing of a search later, when the next search may already be open.
              onClose={() => setOpened((current) => (current === opened ? undefined : current))}
            />
          </Suspense>
        </CatchBoundary>
      )}
    </>
  );
}

function nextNumber(last: number | undefined): number {
  return (last ?? 0) + 1;
}

/** Shown if the search cannot be loaded. The page still works. */
function SearchFailure({ error }: { readonly error: unknown }) {
  return (
    <div className={styles.failure}>
      <ErrorMessage error={error} />
    </div>
  );
}

function isShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return false;
  if (event.key.toLowerCase() === 'k') return (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  return event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isEditing(event.target);
}

function isEditing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

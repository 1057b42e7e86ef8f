import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { ROOT_URL } from '../app/root-url.js';

/** The name in the storage of the tab. */
const NAME = 'repo-insight-api-key';
const HEADER = 'X-API-Key';

let apiKey = readStored();
const listeners = new Set<() => void>();

/** Returns whether requests of this tab contain an API key. */
export function useHasApiKey(): boolean {
  return useSyncExternalStore(subscribe, () => apiKey !== undefined);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps an API key for this tab, and loads again what the service answered without it. */
export function keepApiKey(key: string, client: QueryClient): Promise<void> {
  apiKey = key;
  try {
    sessionStorage.setItem(NAME, key);
  } catch {
    // If the storage is not available, the key applies until the page is loaded again.
  }
  for (const listener of listeners) listener();
  return client.resetQueries({ predicate: ({ queryKey: [kind] }) => OF_CALLER.has(kind) });
}

/** The kinds of queries whose result depends on the key. */
const OF_CALLER: ReadonlySet<unknown> = new Set(['rows', 'plan', 'choices', 'tables']);

/** Removes the API key. The page is loaded again, because its memory contains rows that only the key can read. */
export function removeApiKey(): void {
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    // The key was never stored.
  }
  location.reload();
}

// The browser can show a page of the history again with its memory, although another page of the tab removed the key.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted && readStored() !== apiKey) location.reload();
});

/** Returns the header with an API key that is not kept yet. */
export function withApiKey(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { [HEADER]: key };
}

/** Sends a request to the service. Requests for data contain the API key of the tab, except in embedded pages. */
export function fetchService(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (apiKey !== undefined && !headers.has(HEADER) && isForData(url)) headers.set(HEADER, apiKey);
  return fetch(url, { ...init, headers });
}

function isForData(url: string | URL): boolean {
  const { href } = new URL(url, ROOT_URL);
  const isEmbedded = location.href.startsWith(`${ROOT_URL.href}embed/`);
  return !isEmbedded && ['q/', 'v1/'].some((path) => href.startsWith(ROOT_URL.href + path));
}

function readStored(): string | undefined {
  try {
    return sessionStorage.getItem(NAME) ?? undefined;
  } catch {
    return undefined;
  }
}

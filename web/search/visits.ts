import { useEffect } from 'react';
import { ROOT_PATH } from '../app/root-url.js';
import { NOT_FOUND_TITLE } from '../parts/messages/not-found.js';

const KEY = 'repo-insight-visits';
const MAX_VISITS = 8;
/** Paths of pages that users search for. Only visits to these pages are recorded. */
const SEARCHED = /^\/(?:e|p)\/./;

export interface Visit {
  readonly path: string;
  readonly title: string;
}

/** Records visited pages in this browser. A visit is recorded when the page sets its title. */
export function useVisits(): void {
  useEffect(() => {
    const title = document.querySelector('title');
    if (title === null) return;
    const observer = new MutationObserver(rememberPage);
    observer.observe(title, { childList: true });
    rememberPage();
    return () => observer.disconnect();
  }, []);
}

/** Returns the visited pages, newest first. */
export function readVisits(): readonly Visit[] {
  try {
    const visits: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(visits) ? visits.filter(isVisit) : [];
  } catch {
    return [];
  }
}

export function forgetVisits(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // If storage is not available, visits are not recorded.
  }
}

function rememberPage(): void {
  const path = window.location.pathname.slice(ROOT_PATH.length);
  const title = document.title.replace(/ · [^·]*$/, '');
  if (SEARCHED.test(path) && title !== NOT_FOUND_TITLE) rememberVisit({ path, title });
}

function rememberVisit(visit: Visit): void {
  const others = readVisits().filter(({ path }) => path !== visit.path);
  try {
    localStorage.setItem(KEY, JSON.stringify([visit, ...others].slice(0, MAX_VISITS)));
  } catch {
    // If storage is not available, visits are not recorded.
  }
}

/** Whether a stored value is valid. The user can change the storage, so it can contain any text. */
function isVisit(value: unknown): value is Visit {
  if (typeof value !== 'object' || value === null) return false;
  const { path, title } = value as Partial<Visit>;
  return typeof path === 'string' && SEARCHED.test(path) && typeof title === 'string';
}

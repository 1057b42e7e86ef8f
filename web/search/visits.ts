import { useEffect } from 'react';
import { ROOT_PATH } from '../app/root-url.js';
import { NOT_FOUND_TITLE } from '../parts/messages/not-found.js';

const KEY = 'repo-insight-visits';
const MAX_VISITS = 8;
/** Pages that a user searches for. */
const SEARCHED = /^\/(?:e|p)\/./;

export interface Visit {
  readonly path: string;
  readonly title: string;
}

/** Remembers visited pages in this browser. A page is remembered when it sets its title, because then the title is known. */
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

/** The visited pages, newest first. */
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
    // Without storage, nothing is remembered.
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
    // Without storage, nothing is remembered.
  }
}

/** The storage belongs to the user, so that any text can be in it. */
function isVisit(value: unknown): value is Visit {
  if (typeof value !== 'object' || value === null) return false;
  const { path, title } = value as Partial<Visit>;
  return typeof path === 'string' && SEARCHED.test(path) && typeof title === 'string';
}

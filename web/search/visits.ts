import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';

const KEY = 'repo-insight-visits';
const MAX_VISITS = 8;
/** Pages that a user searches for. */
const SEARCHED = /^\/(?:e|p)\/./;

export interface Visit {
  readonly path: string;
  readonly title: string;
}

/** Remembers visited pages in this browser when the user leaves them, because then their titles are known. */
export function useVisits(): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  useEffect(() => {
    if (path === undefined || !SEARCHED.test(path)) return;
    const remember = () => rememberVisit({ path, title: document.title.replace(/ · [^·]*$/, '') });
    window.addEventListener('pagehide', remember);
    return () => {
      window.removeEventListener('pagehide', remember);
      remember();
    };
  }, [path]);
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

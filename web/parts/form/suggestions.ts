import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { collectionsQuery } from '../../api/collections.js';
import { callOperation } from '../../api/operations.js';
import type { Subject } from './form-fields.js';

/** A value that a form suggests. */
export interface Suggestion {
  readonly value: string;
  /** A text to show next to the value. */
  readonly label?: string;
}

const MIN_TEXT = 2;
const NONE: readonly Suggestion[] = [];

/** Suggests values for a text. After a failure, there are no suggestions, but any value can still be entered. */
export function useSuggestions(subject: Subject | undefined, text: string): readonly Suggestion[] {
  const isCollection = subject === 'collection';
  const isSearch = subject === 'repository' || subject === 'person';
  const collections = useQuery({ ...collectionsQuery, enabled: isCollection });
  const found = useQuery({
    queryKey: ['suggestions', subject, text],
    queryFn: ({ signal }) => search(subject === 'person' ? 'person' : 'repository', text, signal),
    enabled: isSearch && text.length >= MIN_TEXT,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (isSearch) return (text.length < MIN_TEXT ? undefined : found.data) ?? NONE;
  return collections.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? NONE;
}

async function search(
  subject: 'person' | 'repository',
  text: string,
  signal: AbortSignal,
): Promise<readonly Suggestion[]> {
  const query = `?keyword=${encodeURIComponent(text)}`;
  if (subject === 'person') {
    const { data } = await callOperation<Found<{ readonly login: string }>>(`gh/users/search/${query}`, { signal });
    return data.map(({ login }) => ({ value: login }));
  }
  const { data } = await callOperation<Found<{ readonly fullName: string }>>(`gh/repos/search/${query}`, { signal });
  return data.map(({ fullName }) => ({ value: fullName }));
}

interface Found<Item> {
  readonly data: readonly Item[];
}

/** Returns the allowed values of a parameter if they come from a query; undefined until they are loaded. */
export function useChoices(definition: string | undefined, parameter: string): readonly string[] | undefined {
  const { data } = useQuery({
    queryKey: ['choices', definition, parameter],
    queryFn: ({ signal }) =>
      callOperation<{ readonly known: boolean; readonly values: readonly string[] }>(
        `q/choices/${encodeURIComponent(definition ?? '')}/${encodeURIComponent(parameter)}/`,
        { signal },
      ),
    enabled: definition !== undefined,
    staleTime: 300_000,
  });
  return data?.known === true ? data.values : undefined;
}

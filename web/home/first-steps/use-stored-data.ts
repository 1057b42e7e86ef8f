import { useQuery } from '@tanstack/react-query';
import { rowsQuery } from '../../api/rows.js';
import { BY_CHANGE } from '../growth/by-change.js';

/** Whether the database has data of a kind; undefined until it is known. */
export interface StoredData {
  readonly events: boolean | undefined;
  readonly collections: boolean | undefined;
}

/** Reads which data the database has, from the answers that the cards of the start page need too. */
export function useStoredData(): StoredData {
  const types = useQuery(rowsQuery('data-event-types', {}));
  const collections = useQuery(rowsQuery('collections-by-growth', BY_CHANGE));
  return {
    events: types.data && types.data.data.length > 0,
    collections: collections.data && collections.data.data.length > 0,
  };
}

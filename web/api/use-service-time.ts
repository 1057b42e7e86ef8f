import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from './session.js';

/**
 * Returns the time of the service in milliseconds since 1970. It can differ from the clock of the browser, and the setting `NOW` can
 * fix it. Until the service stated it, the clock of the browser is used.
 */
export function useServiceTime(): number {
  const { data, dataUpdatedAt } = useQuery(sessionQuery);
  return data === undefined ? Date.now() : Date.parse(data.now) + Date.now() - dataUpdatedAt;
}

import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from './session.js';

/**
 * Returns the time of the service in milliseconds since 1970. The time can differ from the clock of the browser, and the setting `NOW` can
 * make it constant. Until the service has sent its time, the clock of the browser is used.
 */
export function useServiceTime(): number {
  const { data, dataUpdatedAt } = useQuery(sessionQuery);
  return data === undefined ? Date.now() : Date.parse(data.now) + Date.now() - dataUpdatedAt;
}

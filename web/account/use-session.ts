import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/session.js';

/** Whether this browser is signed in. `unavailable`: operators did not configure the sign-in. */
export type SignInState = 'loading' | 'unavailable' | 'signed-out' | 'signed-in';

/** Returns the session, and what it means for controls that need a signed-in user. */
export function useSession() {
  const { data, error, refetch } = useQuery(sessionQuery);
  const state: SignInState =
    data === undefined ? 'loading' : data.user !== null ? 'signed-in' : data.signIn ? 'signed-out' : 'unavailable';
  return { session: data, state, error, refetch };
}

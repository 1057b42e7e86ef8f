import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/session.js';

/** Whether this browser is signed in. `unavailable`: the operator did not configure sign-in. */
export type SignInState = 'loading' | 'unavailable' | 'signed-out' | 'signed-in';

/** Returns the session, and the sign-in state for controls that need a signed-in user. */
export function useSession() {
  const { data, error, refetch } = useQuery(sessionQuery);
  const state: SignInState =
    data === undefined ? 'loading' : data.user !== null ? 'signed-in' : data.signIn ? 'signed-out' : 'unavailable';
  return { session: data, state, error, refetch };
}

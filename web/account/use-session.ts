import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ACCOUNT_KEY } from '../api/account.js';
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

/** Returns a function that removes the data of the user from the console after the session has ended. */
export function useForgetSession(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => {
    queryClient.removeQueries({ queryKey: ACCOUNT_KEY });
    return queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
}

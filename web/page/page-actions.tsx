import { SubscribeButton } from '../account/subscribe-button.js';
import { useSession } from '../account/use-session.js';
import type { ParameterTexts } from '../parts/form/parameter-values.js';

/** The buttons next to the title of a page: a page about one repository can be subscribed to, if users can sign in. */
export function PageActions({ values: { owner, repo } }: { readonly values: ParameterTexts }) {
  const { state } = useSession();
  if (owner === undefined || repo === undefined || state === 'loading' || state === 'unavailable') return null;
  return <SubscribeButton fullName={`${owner}/${repo}`} />;
}

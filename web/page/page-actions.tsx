import { Link } from '@tanstack/react-router';
import { SubscribeButton } from '../account/subscribe-button.js';
import { useSession } from '../account/use-session.js';
import type { ParameterTexts } from '../parts/form/parameter-values.js';
import { buttonClass } from '../parts/layout/button.js';
import { Icon } from '../parts/layout/icon.js';

/** The buttons next to the title of a page about one repository: a comparison, and a subscription if users can sign in. */
export function PageActions({ values: { owner, repo } }: { readonly values: ParameterTexts }) {
  const { state } = useSession();
  if (owner === undefined || repo === undefined) return null;
  const fullName = `${owner}/${repo}`;
  return (
    <>
      <Link to="/p/$" params={{ _splat: 'compare' }} search={{ repos: fullName } as never} className={buttonClass()}>
        <Icon name="chart" />
        Compare with…
      </Link>
      {state !== 'loading' && state !== 'unavailable' && <SubscribeButton fullName={fullName} />}
    </>
  );
}

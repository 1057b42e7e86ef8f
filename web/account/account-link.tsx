import { Link } from '@tanstack/react-router';
import { Icon } from '../parts/layout/icon.js';
import { Avatar } from './avatar.js';
import { useSession } from './use-session.js';

/** The link to the account in the header: the picture of the signed-in user, or an icon. */
export function AccountLink({ className }: { readonly className?: string | undefined }) {
  const user = useSession().session?.user ?? null;
  const label = user === null ? 'Account' : `Account of ${user.login}`;
  return (
    <Link to="/account" className={className} aria-label={label} title={label}>
      {user === null ? <Icon name="person" /> : <Avatar user={user} size={24} />}
    </Link>
  );
}

import { Link } from '@tanstack/react-router';
import styles from './account.module.css';
import { Avatar } from './avatar.js';
import { useSession } from './use-session.js';

/** The link to the account in the header: the user, or the words for visitors. */
export function AccountLink({ className }: { readonly className?: string | undefined }) {
  const { session } = useSession();
  const user = session?.user ?? null;
  return (
    <Link to="/account" className={`${styles.link} ${className ?? ''}`}>
      {user === null ? (
        session?.signIn === true ? (
          'Sign in'
        ) : (
          'Account'
        )
      ) : (
        <>
          <Avatar user={user} size={24} />
          <span className={styles.login}>{user.login}</span>
        </>
      )}
    </Link>
  );
}

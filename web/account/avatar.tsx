import type { ConsoleSession } from '../api/session.js';
import styles from './account.module.css';

/** The policy of the pages allows pictures of this host only. */
const PICTURES = 'https://avatars.githubusercontent.com/';

/** The picture of a user, or the first letter of the name. It is decorative: its place also has the name. */
export function Avatar({ user, size }: { readonly user: NonNullable<ConsoleSession['user']>; readonly size: number }) {
  const { login, name, avatarUrl } = user;
  const [letter = '?'] = name === '' ? login : name;
  if (avatarUrl.startsWith(PICTURES))
    return <img className={styles.avatar} src={avatarUrl} alt="" width={size} height={size} />;
  return (
    <span className={styles.avatar} style={{ width: size, height: size, fontSize: size / 2 }} aria-hidden="true">
      {letter.toUpperCase()}
    </span>
  );
}

import type { ConsoleSession } from '../api/session.js';
import styles from './account.module.css';

/**
 * The first letter of the name of a user. The letter is decorative, because the name is shown next to it. The console does not load
 * pictures of other hosts, because such a host would learn which user opens which page.
 */
export function Avatar({ user, size }: { readonly user: NonNullable<ConsoleSession['user']>; readonly size: number }) {
  const { login, name } = user;
  const [letter = '?'] = name === '' ? login : name;
  return (
    <span className={styles.avatar} style={{ width: size, height: size, fontSize: size / 2 }} aria-hidden="true">
      {letter.toUpperCase()}
    </span>
  );
}

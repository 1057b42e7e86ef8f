import type { ConsoleSession } from '../api/session.js';
import styles from './account.module.css';

/**
 * The first letter of the name of a user. It is decorative: its place also has the name. The console does not load pictures of other
 * hosts, because these hosts would learn who reads which page.
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

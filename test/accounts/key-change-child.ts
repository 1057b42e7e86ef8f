import { changeKeys } from '../../accounts/keys/change-keys.js';
import { CREATED, keyOf } from './keys.js';

/** A child process that adds a key to a file, and kills itself when the new content is on the disk. */
const [file = ''] = process.argv.slice(2);
const add = keyOf('0000000b').key;
await changeKeys(
  file,
  new Date(CREATED),
  (keys) => ({ keys: [...keys, add], result: undefined }),
  async () => {
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => {});
  },
);

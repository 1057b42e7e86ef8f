import { openTestStore } from '../test-store.js';

// Changes collections in a transaction, in the warehouse in a folder or at a URL. With `commit`, the transaction ends after a line of
// standard input; with `hang`, it never ends. Prints a line when the rows are changed.
const [folder = '', url = '', mode = ''] = process.argv.slice(2);
const { store } = await openTestStore(folder, url === '' ? undefined : url);
for (let id = 100; ; id++) {
  if (mode === 'commit') await new Promise((resolve) => process.stdin.once('data', resolve));
  await store.write(async (tables) => {
    await tables.insertRows('collections', [[id, `Number ${id}`, 1]]);
    console.log('changed');
    if (mode === 'hang') await new Promise((resolve) => process.stdin.once('end', resolve));
  });
}

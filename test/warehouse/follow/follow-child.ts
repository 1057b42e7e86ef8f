import type { FollowEvent } from '../../../warehouse/import/follow/follow-options.js';
import { Follower } from '../../../warehouse/import/follow/follower.js';
import { openTestStore } from '../test-store.js';
import { hourOf, PAUSE_SCALE, timeOf } from './following.js';

// Follows an archive into the warehouse of a folder or a URL, until no hour is missing. Writes a line for each step of an import and
// each event, and at the end what it did.
// In containers, all followers have this process id.
Object.defineProperty(process, 'pid', { value: 1 });
const [folder = '', url = '', archiveUrl = ''] = process.argv.slice(2);
const { store, importOptions, close } = await openTestStore(folder, url === '' ? undefined : url);
const stopping = new AbortController();
const events: FollowEvent[] = [];
const follower = new Follower({
  store,
  importing: {
    ...importOptions,
    archiveUrl,
    stallMs: 500,
    onProgress: ({ files, bytes }) => console.log(JSON.stringify({ files, bytes })),
  },
  clock: () => timeOf(10),
  from: hourOf(6),
  pauseScale: PAUSE_SCALE,
  onEvent: (event) => {
    events.push(event);
    console.log(JSON.stringify(event));
  },
});
const watch = setInterval(() => {
  if (follower.progress().missingHours === 0) stopping.abort();
}, 5);
const { importedHours } = await follower.run(stopping.signal);
clearInterval(watch);
console.log(JSON.stringify({ importedHours, events }));
await close();

import { Follower } from '../../../warehouse/import/follow/follower.js';
import { eventually } from '../../services/eventually.js';
import { haltAt, watchSteps } from '../store-steps.js';
import { openTestStore } from '../test-store.js';
import { hourOf, PAUSE_SCALE, STALL_MS, timeOf } from './following.js';

// Follows an archive into the warehouse in a folder or at a URL until no hour is missing. Prints a line for each event, and when it halts
// at a step. The process id is set to 1, because in containers all followers have this id.
Object.defineProperty(process, 'pid', { value: 1 });
const [folder = '', url = '', archiveUrl = '', step = '', time = ''] = process.argv.slice(2);
const { store, importOptions, close } = await openTestStore(folder, url === '' ? undefined : url);
const stopping = new AbortController();
const follower = new Follower({
  store: watchSteps(store, haltAt(step, time)),
  importing: { ...importOptions, archiveUrl, stallMs: STALL_MS },
  clock: () => timeOf(10),
  from: hourOf(6),
  pauseScale: PAUSE_SCALE,
  onEvent: (event) => console.log(JSON.stringify(event)),
});
const ended = follower.run(stopping.signal);
await eventually(() => follower.progress().missingHours === 0);
stopping.abort();
await ended;
await close();

import { pino } from 'pino';
import { openWarehouse } from '../../server/databases/open-database.js';
import { startService } from '../../server/service.js';
import { readSettings } from '../../server/settings/read-settings.js';

/**
 * A child process with a service that kills itself during the next change by a user, at the step in a message from the test. `before the
 * commit`: all statements of the change have run. `after the commit`: the caller has not received the answer yet.
 */
export type CrashStep = 'before the commit' | 'after the commit';

let crashStep: CrashStep | undefined;
const reach = async (step: CrashStep) => {
  if (step !== crashStep) return;
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => {});
};

const { state, ...warehouse } = await openWarehouse(readSettings(process.env), { migrating: true });
if (state === undefined) throw new Error('There is no state.');
const crashing: typeof state = {
  transaction: async (work) => {
    const result = await state.transaction(async (tables) => {
      const changed = await work(tables);
      await reach('before the commit');
      return changed;
    });
    await reach('after the commit');
    return result;
  },
  eraseDeleted: () => state.eraseDeleted(),
};
const logger = pino({ level: 'silent' });
const service = await startService(readSettings(process.env), { ...warehouse, state: crashing }, logger);
process.on('message', (step: CrashStep) => {
  crashStep = step;
  process.send?.(step);
});
process.send?.(service.url);

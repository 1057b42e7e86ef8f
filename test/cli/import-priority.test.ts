import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { threadPriorities } from '../services/thread-priorities.js';
import { start, stopAll } from './command-line.js';

describe('the priority of an import into a server', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-priority-'));
  });

  after(async () => {
    stopAll();
    await rm(folder, { recursive: true, force: true });
  });

  it('is below that of a service, for all threads of its process', async function () {
    // The priorities of threads can only be read on Linux.
    if (!existsSync('/proc/self/task')) return this.skip();
    // Here, the import waits for the greeting of its database, so its priorities can be read.
    let priorities: number[] = [];
    const server = createServer((socket) => {
      priorities = threadPriorities(started.child.pid);
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const started = start(['data', 'import', '2024-01-01-0'], {
      environment: {
        DATA_DIR: folder,
        DATABASE_URL: `mysql://reader:x@127.0.0.1:${port}/insight`,
        DATABASE_WRITE_URL: `mysql://writer:x@127.0.0.1:${port}/insight`,
      },
    });
    try {
      await started.ended;
    } finally {
      server.close();
    }
    expect(priorities).to.have.length.above(4);
    expect([...new Set(priorities)]).to.deep.equal([Math.max(10, getPriority())]);
  });
});

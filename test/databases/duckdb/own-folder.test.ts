import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { createOwnFolder } from '../../../databases/duckdb/connection/own-folder.js';
import { temporaryFolder } from './open-test-database.js';

describe('a folder of one process', () => {
  it('replaces folders of ended processes, also of one with the same id, and no other folder', async () => {
    const parent = temporaryFolder();
    const ended = spawnSync(process.execPath, ['--version']).pid;
    const kept = [`isolated-${process.ppid}-a`, `other-${ended}-b`, `other-${process.pid}-c`];
    for (const name of [...kept, `isolated-${ended}-d`, `isolated-${process.pid}-e`]) mkdirSync(join(parent, name));
    const own = await Promise.all([createOwnFolder(parent, 'isolated'), createOwnFolder(parent, 'isolated')]);
    const further = await createOwnFolder(parent, 'isolated');
    const names = [...own, further].map(({ path }) => basename(path));
    expect(readdirSync(parent).sort()).to.deep.equal([...kept, ...names].sort());
    await Promise.all([...own, further].map((folder) => folder.remove()));
    expect(readdirSync(parent).sort()).to.deep.equal(kept.sort());
  });
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const SCRIPT = fileURLToPath(new URL('../../scripts/remove-stale.js', import.meta.url));

describe('removing stale files after a build', () => {
  const root = mkdtempSync(join(tmpdir(), 'stale-'));
  const dist = join(root, 'dist');
  after(() => rmSync(root, { recursive: true }));

  const write = (...files: string[]) => {
    for (const file of files) {
      mkdirSync(join(root, file, '..'), { recursive: true });
      writeFileSync(join(root, file), '');
    }
  };

  it('deletes the compiled files of deleted sources and keeps all other files', () => {
    const kept = [
      'a.js',
      'a.js.map',
      'b/c.cjs',
      'b/c.cjs.map',
      '.tsbuildinfo',
      'b/data.json',
      'web/assets/a.js',
      'web-0123456789ab/files/web/a.js',
    ];
    const stale = ['old.js', 'old.js.map', 'b/a.js', 'b/old.test.js', 'gone/c.cjs', 'gone/c.cjs.map'];
    write('a.ts', 'b/c.cts', ...[...kept, ...stale].map((file) => join('dist', file)));
    execFileSync(process.execPath, [SCRIPT, root, dist]);
    const left = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(left.map(({ parentPath, name }) => join(parentPath, name)).sort()).to.deep.equal(
      kept.map((file) => join(dist, file)).sort(),
    );
  });
});

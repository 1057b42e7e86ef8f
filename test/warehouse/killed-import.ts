import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { TestWarehouse } from './test-warehouse.js';

/** Imports in a separate process and kills the process when it has written `atLine` lines. */
export async function killedImport(
  { folder, url = '' }: TestWarehouse,
  sources: readonly string[],
  atLine: number,
): Promise<void> {
  const program = fileURLToPath(new URL('./import-child.js', import.meta.url));
  const child = spawn(process.execPath, [program, folder, url, ...sources], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let lines = 0;
  for await (const _ of createInterface({ input: child.stdout })) if (++lines === atLine) child.kill('SIGKILL');
  expect(await ended).to.deep.equal([null, 'SIGKILL']);
}

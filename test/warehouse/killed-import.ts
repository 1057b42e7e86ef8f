import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type KillAt, REACHED } from './store-steps.js';
import type { TestWarehouse } from './test-warehouse.js';

/** Imports in a separate process, with one batch per file. Without a step, the process runs to its end. */
export function startImport({ folder, url = '' }: TestWarehouse, sources: readonly string[], at?: KillAt) {
  const program = fileURLToPath(new URL('./import-child.js', import.meta.url));
  const words = [program, folder, url, at?.step ?? '', String(at?.time ?? 1), ...sources];
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  return { child, ended: once(child, 'exit'), lines: createInterface({ input: child.stdout }) };
}

/** Imports in a separate process, and kills the process at a step. */
export async function killedImport(warehouse: TestWarehouse, sources: readonly string[], at: KillAt): Promise<void> {
  const { child, ended, lines } = startImport(warehouse, sources, at);
  for await (const line of lines) if (line === REACHED) child.kill('SIGKILL');
  expect(await ended, at.step).to.deep.equal([null, 'SIGKILL']);
}

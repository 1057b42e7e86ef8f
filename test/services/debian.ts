import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';

/** If this process runs as root on Debian, prints a message and installs a package. Returns whether this succeeded. */
export function installPackage(name: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  process.stderr.write(`Installing ${name} with apt-get: the tests start their own servers with it.\n`);
  // Installing a package would start its service. A policy file with this name prevents that.
  const isOurs = !existsSync(START_POLICY);
  if (isOurs) writeFileSync(START_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    aptGet('update');
    return aptGet('install', '--no-install-recommends', name) === 0;
  } finally {
    if (isOurs) rmSync(START_POLICY);
  }
}

function aptGet(...words: readonly string[]): number | null {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', ['-y', '-qq', ...words], { stdio: ['ignore', 'ignore', 'inherit'], env }).status;
}

const START_POLICY = '/usr/sbin/policy-rc.d';

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startMariaDb } from '../services/mariadb.js';
import { readAccepted } from './accepted.js';
import { compareSuite, type Difference } from './compare-suite.js';
import { SUITES } from './suites.js';

const HELP = `Usage: npm run compare -- SUITE [options]

Runs the SELECTs of an SQL suite of another project on the embedded database and on a private MariaDB, and prints the kinds of differences.
The suites are read from their packages: mariadb (Debian: mariadb-test-data), tidb and go-mysql-server (Go modules).

  --only TEXT   only files whose name contains this text
  --limit N     the number of kinds that are printed (default: 40)
  --json FILE   writes all differences to this file
  --help        prints this text

Differences that test/compare/accepted.yaml lists are only counted.

Exit codes: 0 no new difference, 1 new differences, 2 could not run.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    limit: { type: 'string', default: '40' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) process.stdout.write(HELP);
else
  await main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exitCode = 2;
  });

async function main(): Promise<void> {
  const open = SUITES[positionals[0] ?? ''];
  if (open === undefined) throw new Error(`Expected one suite of: ${Object.keys(SUITES).join(', ')}`);
  const suite = await open();
  const files = suite.files.filter(({ name }) => name.includes(values.only));
  const server = await startMariaDb();
  try {
    const comparison = await compareSuite(suite, files, server.url, ({ name }) => process.stderr.write(`${name}\n`));
    if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(comparison.differences, null, 1));
    const { ran, equal, differences, skipped } = comparison;
    const reasonOf = readAccepted();
    const reasons = differences.map(reasonOf);
    const accepted = countBy(reasons.filter((reason) => reason !== undefined));
    const added = differences.filter((_, index) => reasons[index] === undefined);
    process.stdout.write(`${suite.name} ${suite.version}: ${files.length} files, ${ran} SELECTs, ${equal} equal\n`);
    const share = ((100 * equal) / (equal + added.length)).toFixed(2);
    process.stdout.write(`  without accepted differences: ${share} % equal\n`);
    for (const [reason, count] of [...skipped].sort((a, b) => b[1] - a[1]).slice(0, 20))
      process.stdout.write(`  not compared: ${count} ${reason}\n`);
    for (const [reason, count] of accepted) process.stdout.write(`  accepted: ${count} ${reason}\n`);
    process.stdout.write(`  new differences: ${added.length}\n`);
    printKinds(added);
    process.exitCode = added.length === 0 ? 0 : 1;
  } finally {
    await server.remove();
  }
}

function countBy(texts: readonly string[]): [text: string, count: number][] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1]);
}

/** Prints the kinds of differences, the most frequent first, with the shortest example of each. */
function printKinds(differences: readonly Difference[]): void {
  const kinds = new Map<string, Difference[]>();
  for (const difference of differences) {
    const key = keyOf(difference);
    kinds.set(key, [...(kinds.get(key) ?? []), difference]);
  }
  const sorted = [...kinds.values()].sort((one, other) => other.length - one.length);
  for (const group of sorted.slice(0, Number(values.limit))) {
    const [{ kind, message, sql, id, place }] = group.sort((one, other) => one.sql.length - other.sql.length) as [
      Difference,
    ];
    process.stdout.write(
      `\n${group.length} × ${kind}: ${message.slice(0, 300)}\n    ${id} ${place}  ${sql.replace(/\s+/g, ' ').slice(0, 300)}\n`,
    );
  }
}

/** Messages that differ only in names and numbers are one kind. Different rows are one kind. */
function keyOf({ kind, message }: Difference): string {
  if (kind === 'value' || kind === 'names') return kind;
  return `${kind} ${message
    .split('\n')[0]
    ?.replace(/'[^']*'|"[^"]*"|`[^`]*`/g, '…')
    .replace(/\d+/g, 'n')}`;
}

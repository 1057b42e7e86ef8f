import { readFile } from 'node:fs/promises';
import type { Check, Coverage, Verification } from '../../../../engine/authoring/index.js';
import { formatPlace } from '../../../../engine/index.js';
import { count, plural } from '../../../terminal/numbers.js';
import type { Output } from '../../../terminal/output.js';
import { shortPath } from '../replace-file.js';

export interface PrintOptions {
  /** The working directory. Paths below this directory are printed relative to it. */
  readonly cwd: string;
  readonly verbose?: boolean;
  readonly coverage?: boolean;
}

/** Prints the checks of an endpoint: the failed checks with their positions, and the number and duration of all checks. */
export async function printVerification(
  output: Output,
  { name, file, ok, checks, rows, coverage }: Verification,
  { cwd, verbose = false, coverage: showsCoverage = false }: PrintOptions,
): Promise<void> {
  const word = ok ? output.coloured('green', 'ok') : output.coloured('red', 'failed');
  output.print(`${word} ${name}${file === '' ? '' : ` (${shortPath(cwd, file)})`}`);
  const listed = checks.filter((check) => verbose || !check.ok);
  const shown = verbose ? listed : listed.slice(0, SHOWN);
  let previous: Check['place'];
  for (const check of shown) {
    await printCheck(output, check, { cwd, verbose, previous });
    previous = check.place ?? previous;
  }
  if (listed.length > shown.length) output.print(`  and ${listed.length - shown.length} more; use --verbose`);
  if (checks.every(({ kind }) => kind === 'definition')) return;
  output.table(['checks', 'number', 'failed', 'median ms', 'slowest ms'], summary(checks));
  printRows(output, checks, rows);
  if (showsCoverage && coverage !== undefined) printCoverage(output, coverage);
}

/** Describes why a check failed, without its position. */
export function describeFailure({ kind, name, expected, got }: Check): string {
  const difference = expected === undefined ? '' : `: expected ${expected}, got ${got}`;
  return kind === 'definition' ? name : `${kind} ${name}${difference}`;
}

/** Prints the number of endpoints and checks, the failures, the coverage and the duration. */
export function printSummary(output: Output, verifications: readonly Verification[], ms: number): void {
  const checks = verifications.flatMap((verification) => verification.checks);
  const failed = verifications.filter(({ ok }) => !ok).length;
  const parts = [
    plural(verifications.length, 'endpoint'),
    plural(checks.length, 'check'),
    `${count(checks.filter(({ ok }) => !ok).length)} failed${failed === 0 ? '' : ` in ${plural(failed, 'endpoint')}`}`,
    `coverage ${coveredPercent(verifications)} %`,
    `${(ms / 1000).toFixed(1)} s`,
  ];
  output.note(parts.join(', '));
}

/** The percentage of parts of all endpoints that the checks executed, rounded down, so that 100 means all. */
export function coveredPercent(verifications: readonly Pick<Verification, 'coverage'>[]): number {
  const sum = (of: (coverage: Coverage) => number) =>
    verifications.reduce((total, { coverage }) => total + (coverage === undefined ? 0 : of(coverage)), 0);
  const total = sum((coverage) => coverage.total);
  return total === 0 ? 100 : Math.floor((sum(({ covered }) => covered) / total) * 100);
}

/** Prints a check. The position of a failed check is omitted if it is the same as that of the previous check. */
async function printCheck(
  output: Output,
  check: Check,
  { cwd, verbose, previous }: { readonly cwd: string; readonly verbose: boolean; readonly previous: Check['place'] },
): Promise<void> {
  const { kind, ok, place, differences = [] } = check;
  const mark = ok ? output.coloured('green', '✓') : output.coloured('red', '✗');
  output.print(`  ${mark} ${describeFailure(check)}`);
  if (ok) return;
  const isShown = place !== undefined && (previous === undefined || formatPlace(place) !== formatPlace(previous));
  if (kind !== 'definition' && isShown)
    output.print(`    ${formatPlace({ ...place, file: shortPath(cwd, place.file) })}`);
  const excerpt = isShown ? await readExcerpt(place) : undefined;
  for (const line of excerpt ?? []) output.print(output.coloured('dim', `    ${line}`));
  // The first difference is already in the description of the failure.
  const shown = differences.slice(1, verbose ? undefined : SHOWN);
  for (const { at, one, other } of shown) output.print(`    ${at}: expected ${one}, got ${other}`);
  const hidden = differences.length - 1 - shown.length;
  if (hidden > 0) output.print(`    and ${hidden} more; use --verbose`);
}

function printRows(output: Output, checks: readonly Check[], rows: Verification['rows']): void {
  const [first] = rows;
  if (first !== undefined) {
    output.table(
      Object.keys(first),
      rows.map((row) => Object.values(row)),
    );
  } else if (checks.some(({ kind }) => kind === 'case')) {
    output.warn('  no request returned rows; pass values that exist in the data with --param');
  }
}

function printCoverage(output: Output, { total, covered, parts }: Coverage): void {
  output.print(`  coverage: ${covered} of ${total}`);
  for (const { kind, name } of parts.filter(({ by }) => by.length === 0)) {
    output.print(`  ${output.coloured('yellow', '-')} not exercised: ${kind} ${name}`);
  }
}

/** The maximum number of printed failures. If a definition cannot run, all its checks fail for the same reason. */
const SHOWN = 10;

const KINDS: readonly Check['kind'][] = ['variant', 'example', 'case', 'column', 'fixture'];

function summary(checks: readonly Check[]): (string | number)[][] {
  return KINDS.flatMap((kind) => {
    const group = checks.filter((check) => check.kind === kind);
    if (group.length === 0) return [];
    const times = group.map(({ ms }) => ms).sort((a, b) => a - b);
    const at = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1);
    return [[kind, group.length, group.filter(({ ok }) => !ok).length, at(0.5), at(1)]];
  });
}

/** The maximum length of a line of an excerpt. */
const MAX_LENGTH = 160;

/** Returns a line of a definition, and below it a line with `^` at the position. Undefined if the file cannot be read. */
async function readExcerpt(place: NonNullable<Check['place']>): Promise<readonly string[] | undefined> {
  const text = await readFile(place.file, 'utf8').catch(() => undefined);
  const line = text?.split(/\r?\n/)[place.line - 1];
  if (line === undefined) return undefined;
  const start = Math.max(0, place.column - MAX_LENGTH / 2);
  const shown = line.slice(start, start + MAX_LENGTH);
  const margin = `${place.line} | `;
  // Tabs before the position are kept, so that the mark is exactly below it.
  const before = shown.slice(0, place.column - 1 - start).replaceAll(/[^\t]/g, ' ');
  return [`${margin}${shown}`, `${' '.repeat(margin.length - 2)}| ${before}^`];
}

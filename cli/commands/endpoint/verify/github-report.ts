import { relative } from 'node:path';
import type { Warning } from '../../../../engine/index.js';
import type { Output } from '../../../terminal/output.js';
import { describeFailure } from './print-verification.js';
import type { LintedVerification } from './warnings.js';

/** Prints one GitHub Actions annotation for each failed check and each warning. `cwd` is the root of the checkout. */
export function printAnnotations(
  output: Output,
  { name, file, checks, warnings }: LintedVerification,
  cwd: string,
): void {
  for (const check of checks.filter(({ ok }) => !ok)) {
    const { place = { file, line: 1, column: 1 } } = check;
    // The first difference is already in the description of the failure.
    const details = (check.differences ?? [])
      .slice(1, MAX_DIFFERENCES)
      .map(({ at, one, other }) => `\n${at}: expected ${one}, got ${other}`);
    output.print(annotation('error', name, place, describeFailure(check) + details.join(''), cwd));
  }
  for (const warning of warnings) {
    const { message, fix, rule } = warning;
    output.print(annotation('warning', name, warning, `${message}: ${fix} [${rule}]`, cwd));
  }
}

function annotation(
  kind: 'error' | 'warning',
  name: string,
  place: Pick<Warning, 'file' | 'line' | 'column'>,
  text: string,
  cwd: string,
): string {
  const properties = {
    file: relative(cwd, place.file),
    line: String(place.line),
    col: String(place.column),
    title: `endpoint test ${name}`,
  };
  const written = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(value)}`);
  return `::${kind} ${written.join(',')}::${escapeData(text)}`;
}

const MAX_DIFFERENCES = 20;

/** Escapes a text for the GitHub Actions runner. A line break would start a new command. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

import type { ImportProgress } from '../../../warehouse/import/import-options.js';
import type { FileOutcome, ImportSummary } from '../../../warehouse/import/summary.js';
import { count, plural } from '../../terminal/numbers.js';
import type { Output } from '../../terminal/output.js';
import type { Progress } from '../../terminal/progress.js';

/**
 * Returns a function that shows the number of bytes read so far. The last files are read some time before they are stored, because files
 * are stored in batches.
 */
export function importProgress(progress: Progress): (state: ImportProgress) => void {
  const started = performance.now();
  return ({ bytes, totalBytes, events, files, totalFiles }) => {
    const rate = Math.round(events / Math.max(0.001, (performance.now() - started) / 1000));
    const doing = bytes < totalBytes ? 'reading' : 'storing';
    const speed = events === 0 ? '' : `, ${count(events)} events, ${count(rate)} per second`;
    progress.update(bytes, totalBytes, `${doing}, ${files} of ${plural(totalFiles, 'file')} stored${speed}`);
  };
}

/** Prints the files that have a problem, the number of events by type, and a summary line. */
export function reportImport(output: Output, summary: ImportSummary): void {
  for (const file of summary.files) reportFile(output, file);
  const types = sortTypes(summary);
  if (types.length > 0) output.table(HEAD, types);
  output.print(
    `${statesOf(summary.files)}: ${plural(summary.events, 'new event')} in ${summary.seconds.toFixed(1)} s.`,
  );
  if (summary.interrupted) output.warn('Stopped before the end. Run the same command again to continue.');
}

/** Prints the demo data of a first start: as a table for people, or as one line in the JSON log. */
export function announceDemo(output: Output, summary: ImportSummary): void {
  const { events, byType, seconds } = summary;
  const table = output.formatTable(HEAD, sortTypes(summary));
  output.announce(`The database has ${count(events)} events of demo data.`, { events, byType, seconds }, [table]);
}

const HEAD = ['event type', 'events'];

function sortTypes({ byType }: ImportSummary): (readonly [string, string])[] {
  return Object.entries(byType)
    .sort(([, a], [, b]) => b - a)
    .map(([type, events]) => [type, count(events)]);
}

function reportFile(output: Output, { name, state, message, broken, brokenLines, alreadyThere }: FileOutcome): void {
  const say = state === 'imported' || state === 'skipped' ? output.warn.bind(output) : output.error.bind(output);
  if (message !== undefined) say(`${name}: ${state}: ${message}`);
  if (alreadyThere > 0) say(`${name}: skipped ${plural(alreadyThere, 'event')} that the database already contains`);
  if (broken === 0) return;
  for (const { line, reason } of brokenLines) say(`${name}:${line}: ${reason}`);
  const shown = brokenLines.length < broken ? `, the first ${brokenLines.length} shown` : '';
  say(`${name}: ${plural(broken, 'broken line')}${shown}`);
}

function statesOf(files: readonly FileOutcome[]): string {
  const counts = new Map<string, number>();
  for (const { state } of files) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, number]) => `${plural(number, 'file')} ${state}`).join(', ') || 'No file';
}

import { type Endpoint, formatWarning, type Verification, type Warning } from '../../../../engine/index.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import { plural } from '../../../terminal/numbers.js';
import type { NewOptions } from './new-options.js';

/** A definition that was written, or would be written. */
export interface Created {
  readonly file: string;
  readonly text: string;
  readonly notes: readonly string[];
  readonly endpoint: Endpoint;
  readonly verification: Verification;
  readonly warnings: readonly Warning[];
}

/** Prints a new definition: its text or its file, the results of its test, its first rows and the next steps. */
export function printCreated(context: CommandContext, created: Created, { dryRun, json }: NewOptions): void {
  const { output } = context;
  const { file, text, notes, endpoint, verification, warnings } = created;
  const url = urlOf(context, endpoint);
  if (json) {
    const { name } = endpoint.definition;
    output.json({
      name,
      file,
      isWritten: dryRun !== true,
      url,
      text,
      notes,
      warnings,
      ok: verification.ok,
      checks: verification.checks,
      rows: verification.rows,
    });
    return;
  }
  if (dryRun) output.print(text.trimEnd());
  else output.print(`wrote ${file}`);
  const print = (text: string) => (dryRun ? output.note(text) : output.print(text));
  for (const line of formatChecks(context, verification)) print(line);
  output.noteAboutTable(...rowsOf(verification));
  for (const warning of warnings) print(`${output.coloured('yellow', 'warning:')} ${formatWarning(warning)}`);
  for (const note of notes) output.note(note);
  if (dryRun) return;
  output.note(`Next: edit ${file}, then run \`endpoint test ${endpoint.definition.name}\`.`);
  output.note(`The service answers at ${url} after \`endpoint reload\`, or at once with \`serve --watch\`.`);
}

const SHOWN = 10;

function formatChecks({ output }: CommandContext, { ok, checks, rows }: Verification): string[] {
  const failed = checks.filter((check) => !check.ok);
  const word = ok ? output.coloured('green', 'ok') : output.coloured('red', 'failed');
  const failures = failed.slice(0, SHOWN).map(({ kind, name, expected, got }) => {
    return `  ${kind} ${name}${expected === undefined ? '' : `: expected ${expected}, got ${got}`}`;
  });
  const table =
    rows.length === 0 ? 'The values of the SELECT return no rows.' : output.formatTable(...rowsOf({ rows }));
  return [`${word}: ${plural(checks.length, 'check')}, ${failed.length} failed`, ...failures, table];
}

/** Returns the head and the rows of the table of the first rows. */
function rowsOf({ rows }: Pick<Verification, 'rows'>): [head: string[], rows: (string | number)[][]] {
  return [Object.keys(rows[0] ?? {}), rows.map((row) => Object.values(row))];
}

/** Returns the URL of the first example: on the service that runs the command, or on the service of the settings. */
function urlOf({ settings, service }: CommandContext, { definition, parameters }: Endpoint): string {
  const values = definition.examples[0]?.params ?? {};
  const { name, path = `/q/${name}` } = definition;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(String(values[key] ?? parameters[key]?.example ?? '')),
  );
  return `${service?.url ?? `http://127.0.0.1:${settings.port}`}${filled}`;
}

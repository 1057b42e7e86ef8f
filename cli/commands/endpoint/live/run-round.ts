import { basename } from 'node:path';
import { createBrokenVerification } from '../../../../engine/authoring/index.js';
import type { BrokenEndpoint, Database } from '../../../../engine/index.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import { errorMessage } from '../../../terminal/error-message.js';
import { rawFromOption, readValues, requireKnown } from '../options.js';
import { shortPath } from '../replace-file.js';
import { printSummary, printVerification } from '../verify/print-verification.js';
import { findRejection, verifyAlone } from '../verify/verify-alone.js';
import { findTestedWarnings, type LintedVerification, printWarnings } from '../verify/warnings.js';
import { withFixtures } from '../verify/with-fixtures.js';
import type { SavedDefinition } from './developed-definition.js';

export interface RoundOptions {
  readonly param: readonly string[];
  readonly verbose?: boolean;
  readonly json?: boolean;
}

type Round = Pick<CommandContext, 'output' | 'settings' | 'cwd' | 'signal'>;

/** Checks and tests a saved definition, and prints the results. Prints nothing if the signal aborts before the tests have ended. */
export async function runRound(
  context: Round,
  database: Database,
  saved: SavedDefinition,
  options: RoundOptions,
): Promise<void> {
  const started = performance.now();
  // All queries of one round use the same current time.
  const now = context.settings.now ?? new Date().toISOString();
  const still = { ...context, settings: { ...context.settings, now } };
  const verification = await verifySaved(still, database, saved, options).catch((error: unknown) =>
    failWith(saved.file, errorMessage(error)),
  );
  if (context.signal.aborted) return;
  await printRound(context, saved, verification, { ...options, ms: performance.now() - started });
}

async function verifySaved(
  context: Round,
  database: Database,
  { file, definition }: SavedDefinition,
  { param }: RoundOptions,
): Promise<LintedVerification> {
  if (definition === undefined) return failWith(file, 'the file does not exist');
  if (!('definition' in definition)) return describeBroken(definition);
  const rejection = findRejection(definition, database);
  if (rejection !== undefined) return describeBroken(rejection);
  requireKnown(rawFromOption(param).query, [definition]);
  const values = (await readValues([definition], param)).get(definition) ?? {};
  const verification = await withFixtures([definition], (fixtures) =>
    verifyAlone(context, definition, database, { values, fixtures }),
  );
  const tested = { endpoint: definition, verification, values };
  const warnings = await findTestedWarnings(context, database, tested);
  return { ...verification, warnings };
}

function describeBroken(broken: BrokenEndpoint): LintedVerification {
  return { ...createBrokenVerification(broken), warnings: [] };
}

function failWith(file: string, reason: string): LintedVerification {
  const check = { kind: 'definition', name: reason, ok: false, ms: 0 } as const;
  return { name: basename(file), file, ok: false, checks: [check], rows: [], warnings: [] };
}

async function printRound(
  { output, cwd }: Round,
  { file, savedAt, definition }: SavedDefinition,
  verification: LintedVerification,
  { json, verbose = false, ms }: RoundOptions & { readonly ms: number },
): Promise<void> {
  const path = shortPath(cwd, file);
  if (json) {
    output.print(JSON.stringify({ ...verification, savedAt, ms: Math.round(ms) }));
    return;
  }
  if (definition === undefined) {
    output.note(`${path} does not exist. The command waits for this file; stop it with Ctrl-C.`);
    return;
  }
  const time = savedAt.toISOString().slice(0, 19).replace('T', ' ');
  output.print(`\n${output.coloured('dim', `${path}, saved ${time} UTC`)}`);
  await printVerification(output, verification, { cwd, verbose });
  await printWarnings(output, verification.warnings);
  printSummary(output, [verification], ms);
  const word = verification.ok ? output.coloured('green', 'ok') : output.coloured('red', 'failed');
  output.print(`${word} (${Math.round(ms)} ms)`);
}

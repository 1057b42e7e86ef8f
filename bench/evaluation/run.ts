import { Command, Option } from 'commander';
import { ENGINES, QUESTION_SETS } from './evaluation-question.js';
import type { RunOptions } from './run-evaluation.js';

/**
 * `npm run eval:explorer`: asks the questions of the evaluation and reports how many answers are correct. The modules of the program are
 * loaded after the options were parsed, so that help and errors are printed immediately.
 */

const program = new Command('npm run eval:explorer --')
  .description(
    'Asks the explorer all evaluation questions and compares its answers with the expected ones. Exit codes: 0 success, ' +
      '1 the catalogue misses its targets, 2 could not run.',
  )
  .addOption(new Option('--engine <engine>', 'what answers the questions').choices(ENGINES).default('catalogue'))
  .addOption(new Option('--set <set>', 'which questions are asked').choices([...QUESTION_SETS, 'all']).default('all'))
  .option('--data <folder>', 'folder of demo data that is created there and kept (default: a temporary folder)')
  .option('--timeout <seconds>', 'time limit of one question', '120')
  .option('--json', 'writes the report as JSON')
  .exitOverride((error) => {
    process.exit(error.exitCode === 0 ? 0 : 2);
  });

try {
  const options = program.parse().opts<RunOptions>();
  const timeoutMs = readTimeout(options);
  const { runEvaluation } = await import('./run-evaluation.js');
  const { printReport } = await import('./print-report.js');
  const report = await runEvaluation(options, timeoutMs);
  console.log(options.json ? JSON.stringify(report, undefined, 2) : printReport(report));
  process.exitCode = report.meetsTargets === false ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

function readTimeout({ timeout }: RunOptions): number {
  const seconds = Number(timeout);
  if (!(seconds > 0 && seconds <= 3600)) throw new Error(`--timeout: expected 1 to 3600 seconds, got ${timeout}`);
  return seconds * 1_000;
}

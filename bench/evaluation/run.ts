import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { databaseFile } from '../../server/settings/database-location.js';
import { demoSettings } from '../demo-service.js';
import { createAnswerer } from './create-answerer.js';
import { evaluate } from './evaluate.js';
import { QUESTION_SETS } from './evaluation-question.js';
import { createEvaluationData, openEvaluation } from './open-evaluation.js';
import { printReport } from './print-report.js';
import { questionFiles, readQuestions } from './read-questions.js';
import { createReport, type Report } from './report.js';
import { ENGINES, type EngineName } from './score-question.js';

/** `npm run eval:explorer`: asks the questions of the evaluation and reports how many answers are correct. */

interface RunOptions {
  readonly engine: EngineName;
  readonly set: (typeof QUESTION_SETS)[number] | 'all';
  readonly data?: string;
  readonly timeout: string;
  readonly json?: true;
}

const PROGRESS_AFTER_MS = 2_000;

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
  const report = await runEvaluation(options);
  console.log(options.json ? JSON.stringify(report, undefined, 2) : printReport(report));
  process.exitCode = report.meetsTargets === false ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

async function runEvaluation(options: RunOptions): Promise<Report> {
  const seconds = Number(options.timeout);
  if (!(seconds > 0 && seconds <= 3600))
    throw new Error(`--timeout: expected 1 to 3600 seconds, got ${options.timeout}`);
  const folder = options.data ?? (await mkdtemp(join(tmpdir(), 'repo-insight-evaluation-')));
  try {
    await mkdir(folder, { recursive: true });
    if (!existsSync(databaseFile(demoSettings(folder)) ?? '')) {
      console.error('Creating the demo data.');
      await createEvaluationData(folder);
    }
    return await evaluateFolder(folder, options, seconds * 1000);
  } finally {
    if (options.data === undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function evaluateFolder(folder: string, { engine, set }: RunOptions, timeoutMs: number): Promise<Report> {
  const evaluation = await openEvaluation(folder);
  try {
    const { endpoints } = evaluation.engine;
    const questions = readQuestions(questionFiles(), endpoints).filter((one) => set === 'all' || one.set === set);
    const { execute, now } = evaluation;
    const { answerer, usedTokens } = await createAnswerer(engine, evaluation, process.env);
    const parts = { engine, answerer, execute, endpoints, now, timeoutMs, usedTokens, onProgress: reportProgress() };
    return createReport(engine, await evaluate(questions, parts));
  } finally {
    await evaluation.close();
  }
}

/** Reports every two seconds, so that short evaluations report nothing. */
function reportProgress(): (done: number, total: number) => void {
  let last = performance.now();
  return (done, total) => {
    if (performance.now() - last < PROGRESS_AFTER_MS) return;
    last = performance.now();
    console.error(`${done} of ${total} questions`);
  };
}

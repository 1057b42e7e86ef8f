import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseFile } from '../../server/settings/database-location.js';
import { demoSettings } from '../demo-service.js';
import { createAnswerer } from './create-answerer.js';
import { evaluate } from './evaluate.js';
import type { EngineName, QUESTION_SETS } from './evaluation-question.js';
import { createEvaluationData, openEvaluation } from './open-evaluation.js';
import { questionFiles, readQuestions } from './read-questions.js';
import { createReport, type Report } from './report.js';

/** The command line options. */
export interface RunOptions {
  readonly engine: EngineName;
  readonly set: (typeof QUESTION_SETS)[number] | 'all';
  readonly data?: string;
  readonly timeout: string;
  readonly json?: true;
}

/** Runs the evaluation on the demo data of a folder, or on new demo data in a temporary folder. */
export async function runEvaluation(options: RunOptions, timeoutMs: number): Promise<Report> {
  const folder = options.data ?? (await mkdtemp(join(tmpdir(), 'repo-insight-evaluation-')));
  try {
    await mkdir(folder, { recursive: true });
    if (!existsSync(databaseFile(demoSettings(folder)) ?? '')) {
      console.error('Creating the demo data.');
      await createEvaluationData(folder);
    }
    return await evaluateFolder(folder, options, timeoutMs);
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

/** Returns a function that prints progress at most every two seconds. */
function reportProgress(): (done: number, total: number) => void {
  let last = performance.now();
  return (done, total) => {
    if (performance.now() - last < PROGRESS_AFTER_MS) return;
    last = performance.now();
    console.error(`${done} of ${total} questions`);
  };
}

/** No progress is printed for evaluations that end earlier. */
const PROGRESS_AFTER_MS = 2_000;

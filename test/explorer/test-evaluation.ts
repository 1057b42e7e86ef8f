import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoSettings } from '../../bench/demo-service.js';
import { evaluate } from '../../bench/evaluation/evaluate.js';
import type { EngineName, EvaluationQuestion } from '../../bench/evaluation/evaluation-question.js';
import type { Execute } from '../../bench/evaluation/executor.js';
import { type OpenEvaluation, openEvaluation } from '../../bench/evaluation/open-evaluation.js';
import { questionFiles, readQuestions } from '../../bench/evaluation/read-questions.js';
import { createReport } from '../../bench/evaluation/report.js';
import type { Answerer, Proposal } from '../../explorer/answers/proposal.js';
import { copyDemo, type DemoSize } from '../service/demo-data.js';
import { eventually } from '../services/eventually.js';
import { chooses, DECLINES, writes } from './fixed-answerer.js';

/** An evaluation for the calling suite. The members must only be used in tests and hooks. */
export interface TestEvaluation {
  readonly evaluation: OpenEvaluation;
  /** The questions about the public operations. */
  readonly questions: readonly EvaluationQuestion[];
  /** Returns the arguments for the evaluation of an answerer. */
  parts(engine: EngineName, answerer: Answerer): Omit<Parameters<typeof evaluate>[1], 'usedTokens'>;
  /** Evaluates an answerer that uses 42 tokens. */
  report(
    engine: EngineName,
    asked: readonly EvaluationQuestion[],
    answerer: Answerer,
  ): Promise<ReturnType<typeof createReport>>;
}

/** Opens an evaluation on demo data of this size for the calling suite. */
export function useEvaluation(size: DemoSize): TestEvaluation {
  let folder: string;
  let evaluation: OpenEvaluation | undefined;
  let questions: readonly EvaluationQuestion[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evaluation-'));
    await copyDemo(demoSettings(folder), size);
    const opened = await openEvaluation(folder, 600_000);
    const first = { engine: 'model', sql: 'SELECT 1 AS one' } as const;
    // The embedded database must first copy its tables.
    await eventually(() => opened.execute(first, new AbortController().signal).then(Boolean, () => false));
    evaluation = { ...opened, execute: executeOnce(opened.execute) };
    questions = readQuestions(questionFiles(['tuning', 'held-out']), evaluation.engine.endpoints);
  });
  after(async () => {
    await evaluation?.close();
    await rm(folder, { recursive: true, force: true });
  });
  const open = () => {
    if (evaluation === undefined) throw new Error('The evaluation is available in tests and hooks only.');
    return evaluation;
  };
  const parts: TestEvaluation['parts'] = (engine, answerer) => ({
    engine,
    answerer,
    execute: open().execute,
    endpoints: open().engine.endpoints,
    now: open().now,
    timeoutMs: 600_000,
  });
  return {
    get evaluation() {
      return open();
    },
    get questions() {
      return questions;
    },
    parts,
    report: async (engine, asked, answerer) => {
      let tokens = 7;
      const usedTokens = () => {
        const used = tokens;
        tokens += 42;
        return used;
      };
      return createReport(engine, await evaluate(asked, { ...parts(engine, answerer), usedTokens }));
    },
  };
}

/** Caches the results of queries, because the queries of a suite return the same rows each time. */
function executeOnce(execute: Execute): Execute {
  const results = new Map<string, ReturnType<Execute>>();
  return (query, signal) => {
    const key = JSON.stringify(query.engine === 'model' ? query.sql : query.definition);
    const result = results.get(key) ?? execute(query, signal);
    results.set(key, result);
    return result;
  };
}

/** Returns the answer that the evaluation expects. */
export function expectedProposal(question: EvaluationQuestion): Proposal | Error {
  if (question.group === 'none') return DECLINES;
  if (question.group === 'sql') return writes(question.queries[0]);
  const [{ name, parameters }] = question.accepted;
  return chooses(name, parameters);
}

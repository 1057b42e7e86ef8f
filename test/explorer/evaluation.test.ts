import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { demoSettings } from '../../bench/demo-service.js';
import { evaluate } from '../../bench/evaluation/evaluate.js';
import type { EngineName, EvaluationQuestion } from '../../bench/evaluation/evaluation-question.js';
import type { Execute } from '../../bench/evaluation/executor.js';
import { EVALUATION_DEMO, type OpenEvaluation, openEvaluation } from '../../bench/evaluation/open-evaluation.js';
import { questionFiles, readQuestions } from '../../bench/evaluation/read-questions.js';
import { createReport } from '../../bench/evaluation/report.js';
import { scoreQuestion, type Verdict } from '../../bench/evaluation/score-question.js';
import type { Answerer, Proposal } from '../../explorer/answers/proposal.js';
import { QuestionError } from '../../explorer/questions/error-types.js';
import { copyDemo } from '../service/demo-data.js';
import { eventually } from '../services/eventually.js';
import { chooses, DECLINES, fixedAnswerer, writes } from './fixed-answerer.js';

const STARS = { id: 'stars', set: 'tuning', question: 'stars?' } as const;
const OWNER_AND_REPO = { owner: 'amber-ibex', repo: 'reed-stack' };
const STARS_SQL =
  "SELECT r.repo_name, t.stars FROM github_repos r JOIN mv_repo_totals t ON t.repo_id = r.repo_id WHERE r.owner_login = 'amber-ibex' ORDER BY t.stars DESC";

const COUNTRIES: EvaluationQuestion = {
  ...STARS,
  group: 'definition',
  accepted: [
    { name: 'list-countries-of-stargazers', parameters: { ...OWNER_AND_REPO, from: '2025-01-01' } },
    { name: 'list-countries-of-stargazers', parameters: { ...OWNER_AND_REPO, from: '2025-07-01' } },
  ],
};
const BY_SQL: EvaluationQuestion = {
  ...STARS,
  group: 'sql',
  queries: [STARS_SQL],
  columns: ['repo_name', 'stars'],
  order: 'stars',
};
const UNANSWERABLE: EvaluationQuestion = { ...STARS, group: 'none', reason: 'weather' };

describe('the evaluation of the explorer', () => {
  let folder: string;
  let evaluation: OpenEvaluation;
  let questions: readonly EvaluationQuestion[];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evaluation-'));
    await copyDemo(demoSettings(folder), EVALUATION_DEMO);
    const opened = await openEvaluation(folder, 600_000);
    const first = { engine: 'model', sql: 'SELECT 1 AS one' } as const;
    // The embedded database must first copy its tables.
    await eventually(() => opened.execute(first, signal()).then(Boolean, () => false));
    evaluation = { ...opened, execute: executeOnce(opened.execute) };
    questions = readQuestions(questionFiles(), evaluation.engine.endpoints);
  });
  after(async () => {
    await evaluation?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('has reference queries that the playground accepts, and that return their columns and rows', async () => {
    const wrong: string[] = [];
    for (const question of questions) {
      if (question.group !== 'sql') continue;
      for (const sql of question.queries) {
        const { columns, rows } = await evaluation.execute({ engine: 'model', sql }, signal());
        const missing = question.columns.filter((name) => !columns.includes(name));
        if (rows.length === 0 || missing.length > 0) wrong.push(`${question.id}: ${rows.length} rows, no ${missing}`);
      }
    }
    expect(wrong).to.deep.equal([]);
  });

  it('has expected definitions that return rows, except for repositories that are not in the demo data', async () => {
    const empty: string[] = [];
    for (const question of questions) {
      if (question.group !== 'definition') continue;
      for (const definition of question.accepted) {
        const { rows } = await evaluation.execute({ engine: 'catalogue', definition }, signal());
        if (rows.length === 0) empty.push(`${definition.parameters.owner}/${definition.parameters.repo}`);
      }
    }
    expect([...new Set(empty)].sort()).to.deep.equal([
      'facebook/react',
      'kubernetes/kubernetes',
      'microsoft/vscode',
      'pingcap/tidb',
      'torvalds/linux',
    ]);
  });

  it('counts every expected answer as correct, in both kinds of comparison', async () => {
    const script = Object.fromEntries(questions.map((question) => [question.question, expectedProposal(question)]));
    const model = await report('model', questions, fixedAnswerer(script));
    expect(model.mistakes).to.deep.equal([]);
    expect(model.rows.find((row) => row.set === 'all' && row.group === 'all')?.correctShare).to.equal(1);
    const definitions = questions.map((question) =>
      question.group === 'sql' ? [] : [[question.question, expectedProposal(question)] as const],
    );
    const catalogue = await report('catalogue', questions, fixedAnswerer(Object.fromEntries(definitions.flat())));
    expect([catalogue.mistakes, catalogue.meetsTargets]).to.deep.equal([[], true]);
    expect(catalogue.rows.at(-1)).to.include({ set: 'all', group: 'all', declined: 54, failed: 0, wrong: 0 });
  });

  const CASES: readonly [string, EngineName, EvaluationQuestion, Proposal | Error, Verdict][] = [
    ['the expected definition', 'catalogue', COUNTRIES, countries({ from: '2025-01-01' }), 'correct'],
    ['an alternative', 'catalogue', COUNTRIES, countries({ from: '2025-07-01' }), 'correct'],
    ['a stated default', 'catalogue', COUNTRIES, countries({ from: '2025-01-01', exclude_unknown: 'true' }), 'correct'],
    ['a last day of today', 'catalogue', COUNTRIES, countries({ from: '2025-01-01', to: '2026-06-30' }), 'correct'],
    [
      'another case of the name',
      'catalogue',
      COUNTRIES,
      countries({ from: '2025-01-01', owner: 'Amber-Ibex' }),
      'correct',
    ],
    ['an earlier last day', 'catalogue', COUNTRIES, countries({ from: '2025-01-01', to: '2026-06-29' }), 'wrong'],
    ['a missing parameter', 'catalogue', COUNTRIES, countries({}), 'wrong'],
    ['another repository', 'catalogue', COUNTRIES, countries({ from: '2025-01-01', repo: 'brook-edit' }), 'wrong'],
    [
      'another definition',
      'catalogue',
      COUNTRIES,
      chooses('list-organizations-of-stargazers', { ...OWNER_AND_REPO, from: '2025-01-01' }),
      'wrong',
    ],
    ['an unknown definition', 'catalogue', COUNTRIES, chooses('list-weather'), 'failed'],
    ['an invalid parameter', 'catalogue', COUNTRIES, countries({ from: 'yesterday' }), 'failed'],
    ['no answer', 'catalogue', COUNTRIES, DECLINES, 'declined'],
    ['another error', 'catalogue', COUNTRIES, new QuestionError('error-answer-parse', 'no JSON'), 'failed'],
    ['a defect of the answerer', 'catalogue', COUNTRIES, new TypeError('x is not a function'), 'failed'],
    ['a definition', 'catalogue', BY_SQL, chooses('list-collections'), 'wrong'],
    ['no answer', 'catalogue', BY_SQL, DECLINES, 'declined'],
    ['a definition', 'catalogue', UNANSWERABLE, chooses('list-collections'), 'wrong'],
    ['no answer', 'catalogue', UNANSWERABLE, DECLINES, 'correct'],
    ['another error', 'catalogue', UNANSWERABLE, new QuestionError('error-answer-parse', 'no JSON'), 'failed'],
    ['SQL', 'model', UNANSWERABLE, writes('SELECT 1 AS one'), 'wrong'],
    ['SQL that is rejected', 'model', UNANSWERABLE, writes('DELETE FROM collections'), 'failed'],
    [
      'equal rows with other names',
      'model',
      BY_SQL,
      writes(STARS_SQL.replace('t.stars FROM', 't.forks, t.stars AS n FROM')),
      'correct',
    ],
    ['the rows in another order', 'model', BY_SQL, writes(STARS_SQL.replace(' DESC', '')), 'wrong'],
    ['too few rows', 'model', BY_SQL, writes(`${STARS_SQL} LIMIT 2`), 'wrong'],
    ['SQL that fails', 'model', BY_SQL, writes('SELECT missing FROM github_repos'), 'failed'],
    ['SQL with the result of the definition', 'model', COUNTRIES, writes(countriesSql('2025-01-01')), 'correct'],
    ['SQL with the result of the alternative', 'model', COUNTRIES, writes(countriesSql('2025-07-01')), 'correct'],
    ['SQL with another result', 'model', COUNTRIES, writes(countriesSql('2024-01-01')), 'wrong'],
    ['SQL', 'catalogue', COUNTRIES, writes(countriesSql('2025-01-01')), 'wrong'],
  ];
  for (const [what, engine, question, answer, verdict] of CASES) {
    it(`counts ${what} as ${verdict} for a question of the group ${question.group} (${engine})`, async () => {
      const score = await scoreQuestion(question, parts(engine, fixedAnswerer({ [question.question]: answer })));
      expect(score.verdict, score.got).to.equal(verdict);
    });
  }

  it('repairs SQL once, with the reason of the rejection', async () => {
    const script = { [BY_SQL.question]: writes('SELECT email FROM github_users') };
    const right = fixedAnswerer(script, writes(STARS_SQL));
    expect((await scoreQuestion(BY_SQL, parts('model', right))).verdict).to.equal('correct');
    expect(right.repairs).to.have.length(1);
    expect(right.repairs[0]).to.match(/email/);
    const again = fixedAnswerer(script, writes('SELECT email FROM github_users'));
    expect((await scoreQuestion(BY_SQL, parts('model', again))).verdict).to.equal('failed');
    expect(again.repairs).to.have.length(1);
    const declining = fixedAnswerer(script, DECLINES);
    expect((await scoreQuestion(BY_SQL, parts('model', declining))).verdict).to.equal('failed');
  });

  it('reports what was expected and what the answerer proposed', async () => {
    const answerer = fixedAnswerer({ [STARS.question]: chooses('list-trending-repos', { language: 'Rust' }) });
    const { mistakes, meetsTargets, tokens } = await report('catalogue', [COUNTRIES], answerer);
    expect([meetsTargets, tokens]).to.deep.equal([false, 42]);
    expect(mistakes).to.deep.equal([
      {
        id: 'stars',
        set: 'tuning',
        group: 'definition',
        question: 'stars?',
        verdict: 'wrong',
        expected:
          'list-countries-of-stargazers owner=amber-ibex repo=reed-stack from=2025-01-01 or ' +
          'list-countries-of-stargazers owner=amber-ibex repo=reed-stack from=2025-07-01',
        got: 'list-trending-repos language=Rust',
      },
    ]);
  });

  const signal = () => new AbortController().signal;

  const parts = (engine: EngineName, answerer: Answerer) => ({
    engine,
    answerer,
    execute: evaluation.execute,
    endpoints: evaluation.engine.endpoints,
    now: evaluation.now,
    timeoutMs: 600_000,
  });

  async function report(engine: EngineName, asked: readonly EvaluationQuestion[], answerer: Answerer) {
    let tokens = 7;
    const usedTokens = () => {
      const used = tokens;
      tokens += 42;
      return used;
    };
    return createReport(engine, await evaluate(asked, { ...parts(engine, answerer), usedTokens }));
  }
});

/** Caches the results of queries, because the queries of this suite return the same rows each time. */
function executeOnce(execute: Execute): Execute {
  const results = new Map<string, ReturnType<Execute>>();
  return (query, signal) => {
    const key = JSON.stringify(query.engine === 'model' ? query.sql : query.definition);
    const result = results.get(key) ?? execute(query, signal);
    results.set(key, result);
    return result;
  };
}

function countries(parameters: Readonly<Record<string, string>>): Proposal {
  return chooses('list-countries-of-stargazers', { ...OWNER_AND_REPO, ...parameters });
}

function countriesSql(from: string): string {
  return (
    'SELECT COUNT(DISTINCT s.user_id) AS people, u.country_code AS country FROM mv_repo_stars s ' +
    'JOIN github_repos r ON r.repo_id = s.repo_id JOIN github_users u ON u.id = s.user_id ' +
    `WHERE r.repo_name = 'amber-ibex/reed-stack' AND s.day >= '${from}' AND u.country_code NOT IN ('', 'N/A', 'UND') GROUP BY u.country_code`
  );
}

function expectedProposal(question: EvaluationQuestion): Proposal | Error {
  if (question.group === 'none') return DECLINES;
  if (question.group === 'sql') return writes(question.queries[0]);
  const [{ name, parameters }] = question.accepted;
  return chooses(name, parameters);
}

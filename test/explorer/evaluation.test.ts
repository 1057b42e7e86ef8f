import { expect } from 'chai';
import type { EngineName, EvaluationQuestion } from '../../bench/evaluation/evaluation-question.js';
import { scoreQuestion, type Verdict } from '../../bench/evaluation/score-question.js';
import { guardSql } from '../../engine/sql/guard/guard-sql.js';
import type { Proposal } from '../../explorer/answers/proposal.js';
import { QuestionError } from '../../explorer/questions/error-types.js';
import { PUBLIC_TABLES } from '../../warehouse/public-tables.js';
import { chooses, DECLINES, fixedAnswerer, writes } from './fixed-answerer.js';
import { expectedProposal, useEvaluation } from './test-evaluation.js';

const STARS = { id: 'stars', set: 'tuning', question: 'stars?' } as const;
const OWNER_AND_REPO = { owner: 'amber-ibex', repo: 'reed-stack' };
const STARS_SQL =
  "SELECT r.repo_name, t.stars FROM github_repos r JOIN mv_repo_totals t ON t.repo_id = r.repo_id WHERE r.owner_login = 'amber-ibex' ORDER BY t.stars DESC";

const COUNTRIES: EvaluationQuestion = {
  ...STARS,
  group: 'definition',
  accepted: [
    { name: 'list-countries-of-stargazers', parameters: { ...OWNER_AND_REPO, from: '2026-01-01' } },
    { name: 'list-countries-of-stargazers', parameters: { ...OWNER_AND_REPO, from: '2026-04-01' } },
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

/** The repositories and people of the evaluation, with fewer events. The suite of the recorded examples uses the same demo data. */
const DEMO = { events: 20_000, repositories: 120, people: 20_000 };

describe('the evaluation of the explorer', () => {
  const shared = useEvaluation(DEMO);

  // `test/soak/evaluation.test.ts` runs all queries.
  it('has reference queries that the playground accepts', () => {
    const queries = shared.questions.flatMap((question) => (question.group === 'sql' ? question.queries : []));
    expect(queries).to.have.length.above(50);
    for (const sql of queries) expect(() => guardSql(sql, PUBLIC_TABLES), sql).to.not.throw();
  });

  it('counts expected answers as correct, in both kinds of comparison', async () => {
    const asked = shared.questions.filter((_question, index) => index % 12 === 0);
    expect(new Set(asked.map(({ group }) => group))).to.deep.equal(new Set(['definition', 'sql', 'none']));
    const script = Object.fromEntries(asked.map((question) => [question.question, expectedProposal(question)]));
    const model = await shared.report('model', asked, fixedAnswerer(script));
    expect(model.mistakes).to.deep.equal([]);
    expect(model.rows.find((row) => row.set === 'all' && row.group === 'all')?.correctShare).to.equal(1);
    const definitions = asked.map((question) =>
      question.group === 'sql' ? [] : [[question.question, expectedProposal(question)] as const],
    );
    const catalogue = await shared.report('catalogue', asked, fixedAnswerer(Object.fromEntries(definitions.flat())));
    expect([catalogue.mistakes, catalogue.meetsTargets]).to.deep.equal([[], true]);
    const declined = asked.filter(({ group }) => group === 'sql').length;
    expect(catalogue.rows.at(-1)).to.include({ set: 'all', group: 'all', declined, failed: 0, wrong: 0 });
  });

  const CASES: readonly [string, EngineName, EvaluationQuestion, Proposal | Error, Verdict][] = [
    ['the expected definition', 'catalogue', COUNTRIES, countries({ from: '2026-01-01' }), 'correct'],
    ['an alternative', 'catalogue', COUNTRIES, countries({ from: '2026-04-01' }), 'correct'],
    ['a stated default', 'catalogue', COUNTRIES, countries({ from: '2026-01-01', exclude_unknown: 'true' }), 'correct'],
    ['a last day of today', 'catalogue', COUNTRIES, countries({ from: '2026-01-01', to: '2026-06-30' }), 'correct'],
    [
      'another case of the name',
      'catalogue',
      COUNTRIES,
      countries({ from: '2026-01-01', owner: 'Amber-Ibex' }),
      'correct',
    ],
    ['an earlier last day', 'catalogue', COUNTRIES, countries({ from: '2026-01-01', to: '2026-06-29' }), 'wrong'],
    ['a missing parameter', 'catalogue', COUNTRIES, countries({}), 'wrong'],
    ['another repository', 'catalogue', COUNTRIES, countries({ from: '2026-01-01', repo: 'brook-edit' }), 'wrong'],
    [
      'another definition',
      'catalogue',
      COUNTRIES,
      chooses('list-organizations-of-stargazers', { ...OWNER_AND_REPO, from: '2026-01-01' }),
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
    ['SQL with the result of the definition', 'model', COUNTRIES, writes(countriesSql('2026-01-01')), 'correct'],
    ['SQL with the result of the alternative', 'model', COUNTRIES, writes(countriesSql('2026-04-01')), 'correct'],
    ['SQL with another result', 'model', COUNTRIES, writes(countriesSql('2026-06-01')), 'wrong'],
    ['SQL', 'catalogue', COUNTRIES, writes(countriesSql('2026-01-01')), 'wrong'],
  ];
  for (const [what, engine, question, answer, verdict] of CASES) {
    it(`counts ${what} as ${verdict} for a question of the group ${question.group} (${engine})`, async () => {
      const score = await scoreQuestion(question, shared.parts(engine, fixedAnswerer({ [question.question]: answer })));
      expect(score.verdict, score.got).to.equal(verdict);
    });
  }

  it('repairs SQL once, with the reason of the rejection', async () => {
    const script = { [BY_SQL.question]: writes('SELECT email FROM github_users') };
    const right = fixedAnswerer(script, writes(STARS_SQL));
    expect((await scoreQuestion(BY_SQL, shared.parts('model', right))).verdict).to.equal('correct');
    expect(right.repairs).to.have.length(1);
    expect(right.repairs[0]).to.match(/email/);
    const again = fixedAnswerer(script, writes('SELECT email FROM github_users'));
    expect((await scoreQuestion(BY_SQL, shared.parts('model', again))).verdict).to.equal('failed');
    expect(again.repairs).to.have.length(1);
    const declining = fixedAnswerer(script, DECLINES);
    expect((await scoreQuestion(BY_SQL, shared.parts('model', declining))).verdict).to.equal('failed');
  });

  it('reports what was expected and what the answerer proposed', async () => {
    const answerer = fixedAnswerer({ [STARS.question]: chooses('list-trending-repos', { language: 'Rust' }) });
    const { mistakes, meetsTargets, tokens } = await shared.report('catalogue', [COUNTRIES], answerer);
    expect([meetsTargets, tokens]).to.deep.equal([false, 42]);
    expect(mistakes).to.deep.equal([
      {
        id: 'stars',
        set: 'tuning',
        group: 'definition',
        question: 'stars?',
        verdict: 'wrong',
        expected:
          'list-countries-of-stargazers owner=amber-ibex repo=reed-stack from=2026-01-01 or ' +
          'list-countries-of-stargazers owner=amber-ibex repo=reed-stack from=2026-04-01',
        got: 'list-trending-repos language=Rust',
      },
    ]);
  });
});

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

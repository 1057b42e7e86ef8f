import { expect } from 'chai';
import type { Group, QuestionSetName } from '../../bench/evaluation/evaluation-question.js';
import { printReport } from '../../bench/evaluation/print-report.js';
import { createReport } from '../../bench/evaluation/report.js';
import type { Score, Verdict } from '../../bench/evaluation/score-question.js';

describe('the report of an evaluation', () => {
  it('counts the verdicts of each set and group', () => {
    const scores = [
      ...repeat(3, 'definition', 'correct'),
      ...repeat(1, 'definition', 'wrong'),
      ...repeat(2, 'sql', 'declined'),
      ...repeat(1, 'none', 'correct', 'held-out'),
      ...repeat(1, 'none', 'failed', 'held-out'),
    ];
    const rows = createReport('catalogue', evaluationOf(scores)).rows.map(
      ({ set, group, questions, correct, declined, failed, wrong, correctShare, wrongShare }) =>
        [set, group, questions, correct, declined, failed, wrong, correctShare, wrongShare].join(' '),
    );
    expect(rows).to.deep.equal([
      'tuning definition 4 3 0 0 1 0.75 0.25',
      'tuning sql 2 0 2 0 0 0 0',
      'tuning all 6 3 2 0 1 0.5 0.16666666666666666',
      'held-out none 2 1 0 1 0 0.5 0',
      'held-out all 2 1 0 1 0 0.5 0',
      'all definition 4 3 0 0 1 0.75 0.25',
      'all sql 2 0 2 0 0 0 0',
      'all none 2 1 0 1 0 0.5 0',
      'all all 8 4 2 1 1 0.5 0.125',
    ]);
  });

  it('meets the targets from 85 % correct definitions, and up to 2 % wrong answers in all groups', () => {
    const others = [...repeat(40, 'sql', 'declined'), ...repeat(40, 'none', 'correct')];
    const meets = (correct: number, declined: number, wrong: number) =>
      createReport(
        'catalogue',
        evaluationOf([
          ...repeat(correct, 'definition', 'correct'),
          ...repeat(declined, 'definition', 'declined'),
          ...repeat(wrong, 'definition', 'wrong'),
          ...others,
        ]),
      ).meetsTargets;
    expect([meets(17, 3, 0), meets(16, 4, 0), meets(19, 0, 2), meets(18, 0, 3)]).to.deep.equal([
      true,
      false,
      true,
      false,
    ]);
    expect(createReport('model', evaluationOf(others)).meetsTargets).to.equal(undefined);
  });

  it('reports which sets meet the targets, so that a well-tuned set does not hide the other one', () => {
    const scores = [
      ...repeat(90, 'definition', 'correct'),
      ...repeat(5, 'definition', 'correct', 'held-out'),
      ...repeat(5, 'definition', 'declined', 'held-out'),
    ];
    const { meetsTargets, setsWithinTargets } = createReport('catalogue', evaluationOf(scores));
    expect([meetsTargets, setsWithinTargets]).to.deep.equal([true, ['tuning']]);
  });

  it('lists a declined question of the group sql as a mistake of a model, and not of the catalogue', () => {
    const evaluation = evaluationOf(repeat(1, 'sql', 'declined'));
    expect(createReport('catalogue', evaluation).mistakes).to.deep.equal([]);
    expect(createReport('model', evaluation).mistakes.map(({ verdict }) => verdict)).to.deep.equal(['declined']);
  });

  it('is printed with the mistakes first and the summary last', () => {
    const text = printReport(
      createReport('catalogue', evaluationOf([...repeat(1, 'definition', 'wrong'), ...repeat(1, 'none', 'correct')])),
    );
    expect(text.split('\n').slice(0, 4)).to.deep.equal([
      'wrong: definition-wrong-0 (tuning)',
      '  question: definition wrong 0?',
      '  expected: stargazers-history owner=a repo=b',
      '  got:      something',
    ]);
    expect(text.split('\n').slice(-2)).to.deep.equal([
      'catalogue: 2 questions in 1.5 s, 3.0 ms per question (median), 3.0 ms at most.',
      'Targets (at least 85.0 % correct in the group definition, at most 2.0 % wrong in all groups): NOT met (tuning: NOT met).',
    ]);
  });

  it('prints the tokens of a model', () => {
    const evaluation = { ...evaluationOf(repeat(1, 'none', 'correct')), tokens: 1234 };
    expect(printReport(createReport('model', evaluation)).split('\n').at(-1)).to.equal(
      'model: 1 questions in 1.5 s, 3.0 ms per question (median), 3.0 ms at most, 1234 tokens.',
    );
  });
});

function evaluationOf(scores: readonly Score[]) {
  return { scores, ms: 1500, tokens: undefined };
}

function repeat(count: number, group: Group, verdict: Verdict, set: QuestionSetName = 'tuning'): Score[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `${group}-${verdict}-${index}`;
    const common = { id, set, question: `${group} ${verdict} ${index}?` };
    return { verdict, got: 'something', ms: 3, question: { ...common, ...MEMBERS[group] } as Score['question'] };
  });
}

const MEMBERS = {
  definition: {
    group: 'definition',
    accepted: [{ name: 'stargazers-history', parameters: { owner: 'a', repo: 'b' } }],
  },
  sql: { group: 'sql', queries: ['SELECT 1 AS a'], columns: ['a'], order: undefined },
  none: { group: 'none', reason: 'weather' },
} as const satisfies Record<Group, object>;

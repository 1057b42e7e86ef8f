import { expect } from 'chai';
import { EVALUATION_DEMO } from '../../bench/evaluation/open-evaluation.js';
import { fixedAnswerer } from '../explorer/fixed-answerer.js';
import { expectedProposal, useEvaluation } from '../explorer/test-evaluation.js';

describe('the questions of the evaluation, on its demo data', () => {
  const shared = useEvaluation(EVALUATION_DEMO);
  const signal = () => new AbortController().signal;

  it('have reference queries that return their columns and rows', async () => {
    const wrong: string[] = [];
    for (const question of shared.questions) {
      if (question.group !== 'sql') continue;
      for (const sql of question.queries) {
        const { columns, rows } = await shared.evaluation.execute({ engine: 'model', sql }, signal());
        const missing = question.columns.filter((name) => !columns.includes(name));
        if (rows.length === 0 || missing.length > 0) wrong.push(`${question.id}: ${rows.length} rows, no ${missing}`);
      }
    }
    expect(wrong).to.deep.equal([]);
  });

  it('have expected definitions that return rows, except for repositories that are not in the demo data', async () => {
    const empty: string[] = [];
    for (const question of shared.questions) {
      if (question.group !== 'definition') continue;
      for (const definition of question.accepted) {
        const { rows } = await shared.evaluation.execute({ engine: 'catalogue', definition }, signal());
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

  it('count every expected answer as correct, in both kinds of comparison', async () => {
    const script = Object.fromEntries(
      shared.questions.map((question) => [question.question, expectedProposal(question)]),
    );
    const model = await shared.report('model', shared.questions, fixedAnswerer(script));
    expect(model.mistakes).to.deep.equal([]);
    expect(model.rows.find((row) => row.set === 'all' && row.group === 'all')?.correctShare).to.equal(1);
    const definitions = shared.questions.map((question) =>
      question.group === 'sql' ? [] : [[question.question, expectedProposal(question)] as const],
    );
    const catalogue = await shared.report(
      'catalogue',
      shared.questions,
      fixedAnswerer(Object.fromEntries(definitions.flat())),
    );
    expect([catalogue.mistakes, catalogue.meetsTargets]).to.deep.equal([[], true]);
    expect(catalogue.rows.at(-1)).to.include({ set: 'all', group: 'all', declined: 50, failed: 0, wrong: 0 });
  });
});

import { expect } from 'chai';
import { GROUPS, type QuestionSetName } from '../../bench/evaluation/evaluation-question.js';
import { endpointsWithoutColumns } from '../../bench/evaluation/expected-results.js';
import { QuestionSetError, questionFiles, readQuestions } from '../../bench/evaluation/read-questions.js';
import type { Endpoint } from '../../engine/index.js';
import { guardSql } from '../../engine/sql/guard/guard-sql.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { PUBLIC_TABLES } from '../../warehouse/public-tables.js';

/** The sets about the public operations. */
const OPERATION_SETS = ['tuning', 'held-out'] as const;

describe('the evaluation questions', () => {
  let endpoints: readonly Endpoint[];
  /** The definitions of the public operations. */
  let operations: readonly Endpoint[];
  before(async () => {
    endpoints = await loadDefinitions({ endpointsDirectory: undefined });
    operations = endpoints.filter(({ definition }) => definition.path !== undefined);
  });

  it('are at least 128, a quarter of each group is held out, and each set covers every public operation', () => {
    const questions = readQuestions(questionFiles(OPERATION_SETS), endpoints);
    const [definitions, sql, none] = GROUPS.map((group) => questions.filter((question) => question.group === group));
    expect(definitions?.length).to.be.at.least(64);
    expect([sql?.length, none?.length]).to.deep.equal([50, 54]);
    for (const of of [definitions, sql, none]) {
      const share = (of ?? []).filter(({ set }) => set === 'held-out').length / (of ?? []).length;
      expect(share).to.be.within(0.23, 0.27);
    }
    const names = operations.map(({ definition }) => definition.name).sort();
    for (const set of OPERATION_SETS) {
      const used = questions.flatMap((one) =>
        one.group === 'definition' && one.set === set ? one.accepted.map(({ name }) => name) : [],
      );
      expect(used).to.include.members(names);
    }
  });

  it('use every parameter of the public operations except the page and its cursor', () => {
    const questions = readQuestions(questionFiles(['tuning']), endpoints);
    const used = questions.flatMap((one) =>
      one.group === 'definition' ? one.accepted.flatMap(({ parameters }) => Object.keys(parameters)) : [],
    );
    const declared = operations.flatMap(({ parameters }) => Object.keys(parameters));
    expect([...used, 'page', 'cursor']).to.include.members(declared);
  });

  it('of visitors are almost 500, and a third of them is held out', () => {
    const sizes = (['visitors-tuning', 'visitors-held-out'] as const).map(
      (set) => readQuestions(questionFiles([set]), endpoints).length,
    );
    expect(sizes).to.deep.equal([332, 166]);
  });

  it('compare columns of every definition', () => {
    expect(endpointsWithoutColumns(endpoints)).to.deep.equal([]);
  });

  it('have reference queries that the guard accepts', () => {
    for (const question of readQuestions(questionFiles(), endpoints)) {
      if (question.group !== 'sql') continue;
      for (const sql of question.queries) guardSql(sql, PUBLIC_TABLES);
    }
  });

  it('are rejected with every problem and its place if they are wrong', () => {
    const lines = [
      '- { id: a, group: definition, question: q1, definition: list-weather }',
      '- { id: a, group: definition, question: q2, definition: list-trending-repos, parameters: { period: past_year, size: "1" } }',
      '- { id: b, group: definition, question: "Q 2", definition: list-trending-repos, parameters: { period: past_24_hours } }',
      '- { id: c, group: definition, question: "q  2", definition: stargazers-history, parameters: { owner: a } }',
      '- { id: d, group: sql, question: q4, sql: SELECT 1 AS a, columns: [a], order: b }',
      '- id: e',
      '  group: definition',
      '  question: q5',
      '  definition: list-collections',
      '  accept: [{ definition: list-hot-collections, parameters: { page: "2" } }]',
    ];
    expect(problemsOf({ tuning: lines.join('\n') })).to.deep.equal([
      'tuning.yaml:2:9 1.id: an earlier entry already has the id "a"',
      'tuning.yaml:4:42 3.question: an earlier entry already has the question "q  2"',
      'tuning.yaml:1:57 0.definition: unknown definition list-weather',
      'tuning.yaml:2:90 1.parameters: "size" is not a parameter of this endpoint: expected one of period, language; ' +
        'period must be one of past_24_hours, past_week, past_month, past_3_months, got "past_year" (did you mean "past_week"?)',
      'tuning.yaml:3:103 2.parameters.period: period has its default value: remove it',
      'tuning.yaml:4:93 3.parameters: repo must be text of 1 to 100 characters, got nothing',
      'tuning.yaml:5:79 4.order: invalid value (expected one of a, got b)',
      'tuning.yaml:10:60 5.accept.0.parameters: "page" is not a parameter of this endpoint: expected no parameters',
    ]);
  });

  it('are rejected if they do not match the schema', () => {
    const lines = [
      '- { id: a, group: chart, question: q1 }',
      '- { id: A b, group: none, question: q2, reason: weather }',
      '- { id: c, group: none, question: q3 }',
      '- { id: d, group: none, question: q4, reason: weather, sql: SELECT 1 }',
      '- { id: e, group: sql, question: q5, sql: SELECT 1, columns: [] }',
      '- { id: f, group: definition, question: q6, definition: list-repos-of-collection, parameters: { collection_id: 1 } }',
    ];
    expect(problemsOf({ tuning: lines.join('\n') })).to.deep.equal([
      'tuning.yaml:1:19 0.group: invalid value (expected one of definition, sql, none)',
      'tuning.yaml:2:9 1.id: invalid value (expected text that matches ^[a-z0-9-]+$)',
      'tuning.yaml:3:3 2: the key "reason" is missing',
      'tuning.yaml:4:61 3.sql: unknown key',
      'tuning.yaml:5:62 4.columns: invalid value (expected a list of at least 1 item, got a list)',
      'tuning.yaml:6:112 5.parameters.collection_id: invalid value (expected text, got 1)',
    ]);
    expect(problemsOf({ tuning: '- [' })).to.have.length(1);
  });

  it('are rejected if a question is in both sets', () => {
    const problems = problemsOf({
      tuning: '- { id: a, group: none, question: What? , reason: nonsense }',
      'held-out': '- { id: b, group: none, question: what?, reason: nonsense }',
    });
    expect(problems).to.deep.equal([
      'held-out.yaml:1:35 0.question: an earlier entry already has the question "what?"',
    ]);
  });

  function problemsOf(texts: Partial<Record<QuestionSetName, string>>): string[] {
    const files = Object.entries(texts).map(([set, text]) => ({
      set: set as QuestionSetName,
      file: `${set}.yaml`,
      text,
    }));
    try {
      readQuestions(files, endpoints);
    } catch (error) {
      if (error instanceof QuestionSetError) return error.message.split('\n');
      throw error;
    }
    return [];
  }
});

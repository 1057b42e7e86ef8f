import { expect } from 'chai';
import { isFinal, type Question } from '../../../explorer/questions/question.js';
import { onBothDatabases } from '../../services/mysql.js';
import { describeEmbedded } from '../../services/server.js';
import type { ModelServerOptions, ModelServerRequest } from '../model-server.js';
import { HOSTILE_BODIES, HOSTILE_QUESTIONS } from './hostile-questions.js';
import { failuresIn, type HostileService, privateValuesIn, startHostileService } from './hostile-service.js';
import type { TableContents } from './table-contents.js';

const QUESTIONS = Object.values(HOSTILE_QUESTIONS).flat();
const ASK = '/explorer/questions/';
const ANSWER = '/explorer/answer/';
const GENERATE = ['/bot/questionToSQL/', '/playground/sql/generate/'] as const;

describeEmbedded('hostile questions without a model', () => {
  asksHostileQuestions(
    () => ({}),
    (index) => OTHERS[index % OTHERS.length] ?? OTHERS[0],
  );
});

onBothDatabases('hostile questions with a model that repeats them', (environment) =>
  asksHostileQuestions(
    environment,
    (index) => {
      // On one database each question is stored, and on the other one it is part of another request.
      if ((index % 2 === 0) !== (environment().DATABASE_URL !== undefined)) return [ASK, { ignoreCache: true }];
      return OTHERS[(index >> 1) % OTHERS.length] ?? OTHERS[0];
    },
    { otherwise: (request) => ({ answer: repeatQuestion(request), pieceLength: 2_000 }) },
  ),
);

function asksHostileQuestions(
  environment: () => Record<string, string>,
  requestFor: (index: number) => readonly [path: string, members: object],
  model?: ModelServerOptions,
): void {
  let service: HostileService;
  let contents: TableContents;
  before(async () => {
    service = await startHostileService(environment(), model);
    contents = await service.contents();
  });
  after(() => service.close());

  for (const [group, questions] of Object.entries(HOSTILE_QUESTIONS)) {
    it(`get a final status, an answer, SQL or a clear error: ${group}`, async () => {
      const wrong: unknown[] = [];
      for (const [user, question] of questions.entries()) {
        const [path, members] = requestFor(user);
        const { status, text } = await service.post(user, path, { question, ...members });
        if (path !== ASK) {
          if (![200, 422].includes(status)) wrong.push([shorten(question), path, members, status, shorten(text)]);
          continue;
        }
        const asked = JSON.parse(text) as Question;
        const ended = status === 200 && !isFinal(asked.status) ? await service.end(asked.id) : asked;
        if (status !== 200 || faultOf(ended) !== undefined)
          wrong.push([shorten(question), status, faultOf(ended) ?? shorten(text)]);
      }
      expect(wrong).to.deep.equal([]);
    });
  }

  // Invalid bodies are tested only once, because they are rejected before the database or the model is used.
  if (model === undefined) {
    it('get a 4xx answer if the body is not a question', async () => {
      const wrong: unknown[] = [];
      for (const [user, [body, expected]] of HOSTILE_BODIES.entries()) {
        for (const path of [ASK, ANSWER, ...GENERATE]) {
          const { status, text } = await service.post(user, path, body);
          if (status !== expected) wrong.push([shorten(body), path, status, shorten(text)]);
        }
      }
      expect(wrong).to.deep.equal([]);
    });
  }

  it('are at least 60, read no private value, change no other table and cause no failure', async () => {
    expect(new Set(QUESTIONS).size).to.equal(QUESTIONS.length).and.to.be.at.least(60);
    expect(privateValuesIn(await service.texts())).to.deep.equal([]);
    expect(await service.contents()).to.deep.equal(contents);
    expect(failuresIn(service)).to.equal('');
  });
}

const OTHERS = [
  [ANSWER, { format: 'json' }],
  [ANSWER, { format: 'sqlite' }],
  [GENERATE[0], {}],
  [GENERATE[1], { context: { repo_id: 1, repo_name: 'amber-ibex/reed-stack' } }],
] as const;

function shorten(text: string): string {
  return text.slice(0, 300);
}

/** Returns a description of the fault in an ended question; undefined if it has no fault. */
function faultOf({ status, errorType, title }: Question): string | undefined {
  if (!isFinal(status)) return `the status is ${status}`;
  if (errorType === 'error-unknown') return 'the error is unknown';
  return /[\p{Cc}\p{Cs}]/u.test(title) ? 'the title has control characters' : undefined;
}

/** An answer in which all members are the question. For a repair, it selects the question as a value, with the question as its name. */
function repeatQuestion({ messages }: ModelServerRequest): unknown {
  const text = messages.map(({ content }) => content).join('\n');
  const [, data = '""'] = /\n<question>(.*)<\/question>\n/.exec(text) ?? [];
  const question = JSON.parse(data) as string;
  const isRepair = text.includes('\n<rejected_sql>');
  const sql = `SELECT '${question.replaceAll("'", "''")}' AS \`${question.slice(0, 60).replaceAll('`', '``')}\``;
  return {
    ...Object.fromEntries(
      ['revisedTitle', 'notClear', 'assumption', 'combinedTitle', 'reason'].map((name) => [name, question]),
    ),
    sqlCanAnswer: true,
    sql: isRepair ? sql : question,
    chart: { chartName: 'Table', title: question, columns: [question] },
    recommendedQuestions: [question, question],
  };
}

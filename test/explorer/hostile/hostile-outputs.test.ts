import { expect } from 'chai';
import type { Question } from '../../../explorer/questions/question.js';
import { onBothDatabases } from '../../services/mysql.js';
import type { ModelReply, ModelServerRequest } from '../model-server.js';
import { HOSTILE_OUTPUTS, type HostileOutput, SLOW_SQL } from './hostile-outputs.js';
import { failuresIn, type HostileService, privateValuesIn, startHostileService } from './hostile-service.js';
import type { TableContents } from './table-contents.js';
import { shownTexts, UNSAFE_TEXT } from './unsafe-text.js';

/** The time limit of a query in this suite. */
const QUERY_LIMIT_MS = 5_000;
const OUTPUTS = Object.values(HOSTILE_OUTPUTS).flat();

onBothDatabases('hostile outputs of a model', (environment) => {
  let service: HostileService;
  let contents: TableContents;
  before(async () => {
    service = await startHostileService(environment(), { otherwise: replyTo }, { playgroundMs: QUERY_LIMIT_MS });
    contents = await service.contents();
  });
  after(() => service.close());

  for (const [group, outputs] of Object.entries(HOSTILE_OUTPUTS)) {
    it(`end with an error or a harmless answer: ${group}`, async () => {
      const wrong: unknown[] = [];
      for (const output of outputs) {
        const user = OUTPUTS.indexOf(output);
        const question = await service.ask(user, questionOf(user));
        const fault = faultOf(question, output);
        if (fault !== undefined) wrong.push([output.name, fault]);
      }
      expect(wrong).to.deep.equal([]);
    });

    it(`are reported with status 200 or 4xx: ${group}`, async () => {
      const wrong: unknown[] = [];
      for (const output of outputs) {
        const user = OUTPUTS.indexOf(output);
        const [path, members] = requestFor(user + (environment().DATABASE_URL === undefined ? 0 : 1));
        const { status, text } = await service.post(user, path, { question: questionOf(user), ...members });
        if (status !== 200 && status !== 422) wrong.push([output.name, path, status, text.slice(0, 300)]);
      }
      expect(wrong).to.deep.equal([]);
    });
  }

  it('with slow SQL are stopped at the time limit of the query', async () => {
    for (const [index, sql] of SLOW_SQL.entries()) {
      const question = await untilExecuted(() => service.ask(index, `Slow unicorn number ${index}`));
      expect(question.querySQL, sql).to.equal(sql);
      const { executedAt, finishedAt, status, errorType, error } = question;
      expect([status, errorType], `${sql}: ${error}`).to.deep.equal(['error', 'error-query-timeout']);
      expect(Date.parse(finishedAt ?? '') - Date.parse(executedAt ?? ''), sql).to.be.below(QUERY_LIMIT_MS + 1_000);
    }
  });

  it('are at least 60, read no private value, change no other table and cause no failure', async () => {
    expect(OUTPUTS.length).to.be.at.least(60);
    expect(privateValuesIn(await service.texts())).to.deep.equal([]);
    expect(await service.contents()).to.deep.equal(contents);
    expect(failuresIn(service)).to.equal('');
  });
});

const REQUESTS = [
  ['/explorer/answer/', { ignoreCache: true }],
  ['/explorer/answer/', { format: 'sqlite', ignoreCache: true }],
  ['/bot/questionToSQL/', {}],
  ['/playground/sql/generate/', {}],
] as const;

/** Each output gets one request per database. Similar outputs follow each other, so each group gets all requests. */
function requestFor(index: number) {
  return REQUESTS[index % REQUESTS.length] ?? REQUESTS[0];
}

/** Asks again if the database was too busy to plan the query in time, because such a query did not run. */
async function untilExecuted(ask: () => Promise<Question>): Promise<Question> {
  for (let attempt = 1; attempt < 4; attempt += 1) {
    const question = await ask();
    if (question.executedAt !== null) return question;
  }
  return ask();
}

/** A question that no definition answers. */
function questionOf(index: number): string {
  return `Unicorn number ${index}`;
}

function replyTo({ messages }: ModelServerRequest): ModelReply {
  const text = messages.map(({ content }) => content).join('\n');
  const [, slow] = /<question>"Slow unicorn number (\d+)"/.exec(text) ?? [];
  if (slow !== undefined) return { answer: { sqlCanAnswer: true, sql: SLOW_SQL[Number(slow)] }, pieceLength: 2_000 };
  const [, index] = /<question>"Unicorn number (\d+)"/.exec(text) ?? [];
  const output = OUTPUTS[Number(index)];
  if (output === undefined) throw new Error(`There is no output ${index}.`);
  const isRepair = text.includes('\n<rejected_sql>');
  return output.reply ?? { answer: isRepair ? (output.repair ?? output.answer) : output.answer, pieceLength: 2_000 };
}

/** What is wrong with the record of a question. */
function faultOf(question: Question, output: HostileOutput): string | undefined {
  const { status, errorType, error } = question;
  if (errorType !== output.errorType) return `${status} ${errorType}: ${error}`;
  const texts = shownTexts(question);
  const [unsafe] = texts.filter((text) => UNSAFE_TEXT.test(text));
  if (unsafe !== undefined) return `the text ${unsafe}`;
  const [long] = texts.filter((text) => text.length > 1_000);
  if (long !== undefined) return `a text of ${long.length} characters`;
  return question.recommendedQuestions.length > 5 ? 'too many recommended questions' : undefined;
}

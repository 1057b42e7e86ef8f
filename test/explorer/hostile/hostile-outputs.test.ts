import { expect } from 'chai';
import type { Question } from '../../../explorer/questions/question.js';
import { onBothDatabases } from '../../services/mysql.js';
import type { ModelReply, ModelServerRequest } from '../model-server.js';
import { HOSTILE_OUTPUTS, type HostileOutput } from './hostile-outputs.js';
import { failuresIn, type HostileService, privateValuesIn, startHostileService } from './hostile-service.js';
import type { TableContents } from './table-contents.js';
import { shownTexts, UNSAFE_TEXT } from './unsafe-text.js';

const OUTPUTS = Object.values(HOSTILE_OUTPUTS).flat();

onBothDatabases('hostile outputs of a model', (environment) => {
  let service: HostileService;
  let contents: TableContents;
  before(async () => {
    service = await startHostileService(environment(), { otherwise: replyTo });
    contents = await service.contents();
  });
  after(() => service.close());

  for (const [group, outputs] of Object.entries(HOSTILE_OUTPUTS)) {
    it(`end with an error or a harmless answer: ${group}`, async () => {
      const wrong: unknown[] = [];
      for (const output of outputs) {
        const user = OUTPUTS.indexOf(output);
        const [path, members] = requestFor(user, environment().DATABASE_URL !== undefined);
        if (path === ASK) {
          const fault = faultOf(await service.ask(user, questionOf(user)), output);
          if (fault !== undefined) wrong.push([output.name, fault]);
        } else {
          const { status, text } = await service.post(user, path, { question: questionOf(user), ...members });
          if (status !== 200 && status !== 422) wrong.push([output.name, path, status, text.slice(0, 300)]);
        }
      }
      expect(wrong).to.deep.equal([]);
    });
  }

  it('are at least 60, read no private value, change no other table and cause no failure', async () => {
    expect(OUTPUTS.length).to.be.at.least(60);
    expect(privateValuesIn(await service.texts())).to.deep.equal([]);
    expect(await service.contents()).to.deep.equal(contents);
    expect(failuresIn(service)).to.equal('');
  });
});

const ASK = '/explorer/questions/';
const OTHERS = [
  ['/explorer/answer/', { ignoreCache: true }],
  ['/explorer/answer/', { format: 'sqlite', ignoreCache: true }],
  ['/bot/questionToSQL/', {}],
  ['/playground/sql/generate/', {}],
] as const;

/**
 * On one of the two databases, an output is used for a stored question; on the other one, for another kind of request. Neighbouring outputs
 * are similar, so each group of similar outputs is tested with all kinds of requests on both databases.
 */
function requestFor(index: number, isServer: boolean): readonly [path: string, members: object] {
  if ((index % 2 === 0) !== isServer) return [ASK, {}];
  return OTHERS[(index >> 1) % OTHERS.length] ?? OTHERS[0];
}

/** Returns a question that no definition answers. */
function questionOf(index: number): string {
  return `Unicorn number ${index}`;
}

function replyTo({ messages }: ModelServerRequest): ModelReply {
  const text = messages.map(({ content }) => content).join('\n');
  const [, index] = /<question>"Unicorn number (\d+)"/.exec(text) ?? [];
  const output = OUTPUTS[Number(index)];
  if (output === undefined) throw new Error(`There is no output ${index}.`);
  const isRepair = text.includes('\n<rejected_sql>');
  return output.reply ?? { answer: isRepair ? (output.repair ?? output.answer) : output.answer, pieceLength: 100_000 };
}

/** Returns a description of the fault in a stored question; undefined if it has no fault. */
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

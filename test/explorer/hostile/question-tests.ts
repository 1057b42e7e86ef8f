import { expect } from 'chai';
import { isFinal, type Question } from '../../../explorer/questions/question.js';
import type { ModelReply, ModelServerRequest } from '../model-server.js';
import { HOSTILE_BODIES, HOSTILE_QUESTIONS } from './hostile-questions.js';
import type { HostileService } from './hostile-service.js';

const QUESTIONS = Object.values(HOSTILE_QUESTIONS).flat();
const ASK = '/explorer/questions/';
const ANSWER = '/explorer/answer/';
const GENERATE = ['/bot/questionToSQL/', '/playground/sql/generate/'] as const;

type Request = readonly [path: string, members?: object];

/** Requests that only generate SQL, and are therefore cheap. */
const GENERATING: readonly Request[] = [
  [GENERATE[0]],
  [GENERATE[1], { context: { repo_id: 1, repo_name: 'amber-ibex/reed-stack' } }],
];
/** Requests that also run the SQL. */
const RUNNING: readonly Request[] = [
  [ANSWER, { format: 'json' }],
  [ANSWER, { format: 'sqlite' }],
];

export function questionTests(service: () => HostileService, isServer: () => boolean): void {
  for (const [group, questions] of Object.entries(HOSTILE_QUESTIONS)) {
    it(`get a final status, an answer, SQL or a clear error: ${group}`, async () => {
      const wrong: unknown[] = [];
      for (const [index, question] of questions.entries()) {
        // Special characters are stored in the database and run as SQL. In each other group, one question is.
        const isStored = index === 0 || group === STORED_GROUP;
        if (isServer() && !isStored) continue;
        const request: Request = isStored ? [ASK, { ignoreCache: true }] : requestAt(GENERATING, index);
        const fault = await faultOfRequest(service(), index, question, request);
        if (fault !== undefined) wrong.push(fault);
      }
      expect(wrong).to.deep.equal([]);
    });
  }

  it('are at least 60, and different', () => {
    expect(new Set(QUESTIONS).size).to.equal(QUESTIONS.length).and.to.be.at.least(60);
  });
}

const STORED_GROUP = 'characters that look like nothing or like others';

const OTHERS = [ANSWER, ...GENERATE];

export function questionTestsWithoutModel(service: () => HostileService): void {
  for (const [group, questions] of Object.entries(HOSTILE_QUESTIONS)) {
    it(`get an answer, SQL or a clear error: ${group}`, async () => {
      const wrong: unknown[] = [];
      for (const [index, question] of questions.entries()) {
        const request = RUNNING[index] ?? requestAt(GENERATING, index);
        const fault = await faultOfRequest(service(), index, question, request);
        if (fault !== undefined) wrong.push(fault);
      }
      expect(wrong).to.deep.equal([]);
    });
  }

  it('get the reason why they have no answer', async () => {
    const { status, text } = await service().post(0, ANSWER, { question: 'What is the average age of unicorns?' });
    const { code, detail } = JSON.parse(text) as { code: string; detail: string };
    expect([status, code]).to.deep.equal([422, 'question_not_answerable']);
    expect(detail).to.contain(
      'Only questions that a definition answers can be answered, because no language model is configured.',
    );
  });

  // Invalid bodies are tested only here, because they are rejected before the database or the model is used.
  it('get a 4xx answer if the body is not a question', async () => {
    const wrong: unknown[] = [];
    for (const [user, [body, expected]] of HOSTILE_BODIES.entries()) {
      // The other paths read the question in the same way.
      for (const path of [ASK, OTHERS[user % OTHERS.length] ?? ANSWER]) {
        const { status, text } = await service().post(user, path, body);
        if (status !== expected) wrong.push([shorten(body), path, status, shorten(text)]);
      }
    }
    expect(wrong).to.deep.equal([]);
  });
}

function requestAt(requests: readonly Request[], index: number): Request {
  return requests[index % requests.length] ?? [ASK];
}

/** Sends a question. Returns a description of the fault in its answer; undefined if it has no fault. */
async function faultOfRequest(
  service: HostileService,
  user: number,
  question: string,
  [path, members]: Request,
): Promise<unknown> {
  const { status, text } = await service.post(user, path, { question, ...members });
  if (path !== ASK) {
    return [200, 422].includes(status) ? undefined : [shorten(question), path, members, status, shorten(text)];
  }
  if (status !== 200) return [shorten(question), status, shorten(text)];
  const asked = JSON.parse(text) as Question;
  const fault = faultOf(isFinal(asked.status) ? asked : await service.end(asked.id));
  return fault && [shorten(question), fault];
}

function shorten(text: string): string {
  return text.slice(0, 300);
}

/** Returns a description of the fault in an ended question; undefined if it has no fault. */
function faultOf({ status, errorType, title }: Question): string | undefined {
  if (!isFinal(status)) return `the status is ${status}`;
  if (errorType === 'error-unknown') return 'the error is unknown';
  return /[\p{Cc}\p{Cs}]/u.test(title) ? 'the title has control characters' : undefined;
}

/** Replies to every question with an answer that repeats it. */
export function replyWithQuestion(request: ModelServerRequest): ModelReply {
  return { answer: repeatQuestion(request), pieceLength: 2_000 };
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

import { expect } from 'chai';
import { guardSql } from '../../../engine/sql/guard/guard-sql.js';
import { SqlRejectedError } from '../../../engine/sql/guard/rejection.js';
import type { Question } from '../../../explorer/questions/question.js';
import { PUBLIC_TABLES } from '../../../warehouse/public-tables.js';
import type { ModelReply, ModelServerRequest } from '../model-server.js';
import { HOSTILE_OUTPUTS, type HostileOutput } from './hostile-outputs.js';
import type { HostileService } from './hostile-service.js';
import { shownTexts, UNSAFE_TEXT } from './unsafe-text.js';

const OUTPUTS = Object.values(HOSTILE_OUTPUTS).flat();

export function outputTests(service: () => HostileService, isServer: () => boolean): void {
  for (const [group, outputs] of Object.entries(HOSTILE_OUTPUTS)) {
    it(`end with an error or a harmless answer: ${group}`, async () => {
      const wrong: unknown[] = [];
      for (const [index, output] of outputs.entries()) {
        // The first output of each group, and each output whose SQL runs, is used for a stored question.
        const isStored = index === 0 || runs(output);
        // The test below sends all rejected SQL to the guard, so some of it is enough here.
        if (isRejected(output) && index % 4 > 0) continue;
        if (isServer() && (!isStored || (ABOVE_DATABASE.has(group) && index > 0))) continue;
        const fault = await (isStored ? storedFault : generatedFault)(service(), output);
        if (fault !== undefined) wrong.push([output.name, fault]);
      }
      expect(wrong).to.deep.equal([]);
    });
  }

  it('are at least 60', () => {
    expect(OUTPUTS.length).to.be.at.least(60);
  });
}

/** Defines the test of the guard, which needs no service. */
export function guardTests(): void {
  it('rejects all SQL of hostile outputs', () => {
    const queries = OUTPUTS.filter(isRejected).map(({ answer }) => (answer as { readonly sql: string }).sql);
    expect(queries).to.have.length.above(70);
    for (const sql of queries) expect(() => guardSql(sql, PUBLIC_TABLES), sql).to.throw(SqlRejectedError);
  });
}

/** Whether the guard rejects the SQL of an output. */
function isRejected({ errorType, repair }: HostileOutput): boolean {
  return errorType === 'error-validate-sql' && repair === undefined;
}

/** Groups whose SQL is the same, so that one of them is enough on the server. */
const ABOVE_DATABASE = new Set(['hostile charts', 'hostile texts']);

/** Whether the SQL of an output runs. All other outputs are rejected before the database is used. */
function runs({ errorType }: HostileOutput): boolean {
  return errorType === null || !NOT_RUN.has(errorType);
}

const NOT_RUN = new Set(['error-validate-sql', 'error-answer-parse', 'error-sql-can-not-answer']);
const GENERATE = ['/bot/questionToSQL/', '/playground/sql/generate/'] as const;

async function storedFault(service: HostileService, output: HostileOutput): Promise<string | undefined> {
  const index = OUTPUTS.indexOf(output);
  return faultOf(await service.ask(index, questionOf(index)), output);
}

/** Uses an output for a request that only generates SQL. Returns a description of the fault in its answer. */
async function generatedFault(service: HostileService, output: HostileOutput): Promise<string | undefined> {
  const index = OUTPUTS.indexOf(output);
  const path = GENERATE[index % GENERATE.length] ?? GENERATE[0];
  const { status, text } = await service.post(index, path, { question: questionOf(index) });
  const { code, errors, detail = '' } = JSON.parse(text) as { code?: string; errors?: unknown; detail?: string };
  const { errorType } = output;
  const expected =
    errorType === 'error-sql-can-not-answer'
      ? [422, 'question_not_answerable', undefined]
      : [422, 'answer_failed', [{ errorType }]];
  if (JSON.stringify([status, code, errors]) !== JSON.stringify(expected)) return `${status} ${text.slice(0, 300)}`;
  return UNSAFE_TEXT.test(detail) || detail.length > 2_000 ? `the text ${detail}` : undefined;
}

/** Returns a question that no definition answers. */
function questionOf(index: number): string {
  return `Unicorn number ${index}`;
}

/** Returns the reply to a question of these tests; undefined for other questions. */
export function replyWithOutput({ messages }: ModelServerRequest): ModelReply | undefined {
  const text = messages.map(({ content }) => content).join('\n');
  const [, index] = /<question>"Unicorn number (\d+)"/.exec(text) ?? [];
  const output = OUTPUTS[Number(index)];
  if (output === undefined) return undefined;
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

import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorType } from '../../../explorer/questions/error-types.js';
import {
  type ModelReply,
  type ModelServer,
  type ModelServerRequest,
  startModelServer,
} from '../../explorer/model-server.js';

/** The behavior of the model for one question of a storm. */
export interface Behavior {
  readonly name: string;
  /** The expected error type; null if the question succeeds. */
  readonly errorType: ErrorType | null;
  /** The minimum and maximum number of prompts for one preparation, including retries, a correction and a repair. */
  readonly prompts: readonly [number, number];
  readonly reply: (question: string) => ModelReply;
}

/** Returns SQL for the number of repositories that contains the question as a literal, so that the text of each query is different. */
export function sqlOf(question: string): string {
  return `SELECT COUNT(*) AS repositories, '${question}' AS question FROM github_repos`;
}

/** Returns an answer of the model. */
export function answerOf(question: string, sql: string): object {
  const texts = { revisedTitle: question, notClear: '', assumption: '', combinedTitle: question, reason: '' };
  return { ...texts, sqlCanAnswer: true, sql, chart: null, recommendedQuestions: [] };
}

/** The behaviors, each with the number of questions out of 20. */
const BEHAVIORS: readonly (readonly [number, Behavior])[] = [
  [7, behavior('good', null, [1, 1], (question) => ({ answer: answerOf(question, sqlOf(question)) }))],
  [
    2,
    behavior('slow', null, [1, 1], (question) => ({
      answer: answerOf(question, sqlOf(question)),
      pieceLength: 40,
      pause: () => pause(20),
    })),
  ],
  [
    2,
    behavior('hostile', 'error-validate-sql', [2, 2], (question) => ({
      answer: answerOf(question, `SELECT email, '${question}' FROM sys_users; DROP TABLE sys_users`),
    })),
  ],
  [
    1,
    behavior('empty', 'error-empty-result', [1, 1], (question) => ({ answer: answerOf(question, emptySql(question)) })),
  ],
  [1, behavior('nonsense', 'error-answer-parse', [2, 2], () => ({ answer: 'the moon is a balloon' }))],
  [1, behavior('invalid-json', 'error-answer-parse', [2, 2], () => ({ answer: '{"sqlCanAnswer": true, "sql": ' }))],
  [1, behavior('html', 'error-answer-generate', [1, 3], () => ({ status: 502, text: '<html>Bad gateway</html>' }))],
  [1, behavior('failing', 'error-answer-generate', [1, 3], () => ({ status: 500 }))],
  [1, behavior('limited', 'error-answer-generate', [1, 3], () => ({ status: 429, headers: { 'retry-after': '30' } }))],
  [1, behavior('disconnecting', 'error-answer-generate', [1, 3], () => ({ disconnect: 'before-headers' }))],
  [1, behavior('stalling', 'error-answer-generate', [1, 1], () => ({ stall: 'before-headers' }))],
  [
    1,
    behavior('half', 'error-answer-generate', [1, 1], (question) => ({
      answer: answerOf(question, sqlOf(question)),
      middle: 'stall',
    })),
  ],
];

const KINDS = BEHAVIORS.flatMap(([times, kind]) => Array.from({ length: times }, () => kind));

export function behaviorOf(index: number): Behavior {
  return KINDS[index % KINDS.length] as Behavior;
}

/** Returns the text of a question that no definition answers. */
export function textOf(index: number): string {
  return `storm ${behaviorOf(index).name} ${index} zzq`;
}

/** Starts a model server that replies to each question of a storm according to its behavior. */
export function startStormModel(): Promise<ModelServer> {
  return startModelServer({
    otherwise: (request) => {
      const question = questionOf(request);
      return behaviorOf(Number(question.split(' ')[2])).reply(question);
    },
  });
}

/** Returns the question in a prompt of a storm. */
export function questionOf({ prompt }: ModelServerRequest): string {
  const [question] = /storm [a-z-]+ \d+ zzq/.exec(prompt) ?? [];
  if (question === undefined) throw new Error(`This prompt contains no question of a storm: ${prompt.slice(-500)}`);
  return question;
}

function behavior(
  name: string,
  errorType: ErrorType | null,
  prompts: Behavior['prompts'],
  reply: Behavior['reply'],
): Behavior {
  return { name, errorType, prompts, reply };
}

function emptySql(question: string): string {
  return `SELECT repo_id, '${question}' AS question FROM github_repos WHERE repo_id < 0`;
}

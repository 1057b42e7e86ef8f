import type { AnswerCache } from '../../engine/http/cache/answer-cache.js';
import type { Caller } from '../../engine/http/operations/caller.js';
import type { Database, Engine } from '../../engine/index.js';
import type { Explorer } from '../../explorer/explorer.js';
import type { Playground } from '../../explorer/playground/playground.js';

/** What the tools and resources of the Model Context Protocol need of the program. */
export interface McpParts {
  readonly engine: Engine;
  readonly cache: Pick<AnswerCache, 'serve'>;
  readonly database: Database;
  readonly playground: Playground;
  /** The time of the data, which `NOW` can fix. */
  readonly clock: () => Date;
  /** Undefined if questions cannot be asked, because no service stores them. */
  readonly questions: McpQuestions | undefined;
}

export interface McpQuestions {
  readonly explorer: Explorer;
  readonly staleAfterMs: number;
  /** How long a call waits for an answer. */
  readonly answerWaitMs: number;
  /** The time at which questions are asked, which `NOW` does not fix. */
  readonly systemClock: () => Date;
}

/** The client of one message: its limits, its user, and where failures of its calls are reported. */
export interface McpClient {
  /** Counts a call like a request for a definition. Throws `rate_limited`. */
  countQuery(): Promise<void>;
  /** Counts a call like a request to the playground. Throws `rate_limited`. */
  countPlaygroundQuery(): Promise<void>;
  /** Identifies the user and counts a change by this user. Throws `HttpProblem` without a valid credential. */
  identify(now: Date): Promise<Caller>;
  /** The key under which requests of the client are counted. */
  readonly address: string;
  /** The id of the request in the log; undefined without a log. */
  readonly requestId: string | undefined;
  /** Reports a failure of the program, whose cause the client does not see. */
  report(error: unknown): void;
  /** Aborts if the client cancels the message or disconnects. */
  readonly signal: AbortSignal | undefined;
}

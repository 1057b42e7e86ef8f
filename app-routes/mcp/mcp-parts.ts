import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { RequestingClient } from '../../engine/http/access/authentication.js';
import type { AnswerCache } from '../../engine/http/cache/answer-cache.js';
import type { Caller } from '../../engine/http/operations/caller.js';
import type { Engine, ProtectedDefinition } from '../../engine/index.js';
import type { Explorer } from '../../explorer/explorer.js';
import type { Playground } from '../../explorer/playground/playground.js';
import type { About } from '../home.js';

/** What the server is about. `instructions` are for the model; by default the description. */
export interface McpAbout extends About {
  readonly instructions?: string;
}

/** The documents that a client can read. */
export interface McpResources {
  /** Who can list and read them; undefined if any client can. */
  readonly definition?: ProtectedDefinition;
  list(): Promise<Resource[]>;
  readonly templates: readonly ResourceTemplateType[];
  /** Throws `ResourceNotFoundError` for an unknown URI. */
  read(uri: string): Promise<ReadResourceResult>;
}

/** The parts of the program that the tools and resources of the Model Context Protocol need. */
export interface McpParts {
  readonly engine: Engine;
  readonly cache: Pick<AnswerCache, 'serve'>;
  readonly about: McpAbout;
  /** Undefined if callers cannot write SQL. */
  readonly playground: McpPlayground | undefined;
  /** Loads the documents that a client can read. */
  readonly resources: () => Promise<McpResources>;
  /** The clock for data, which `NOW` can fix. */
  readonly clock: () => Date;
  /** Undefined if questions are not available, because no service stores them. */
  readonly questions: McpQuestions | undefined;
}

export interface McpPlayground {
  readonly playground: Playground;
  /** SQL that shows a model what it may write. */
  readonly example: string;
}

export interface McpQuestions {
  readonly explorer: Explorer;
  readonly staleAfterMs: number;
  /** The maximum time that a call waits for an answer. */
  readonly answerWaitMs: number;
  /** The clock for the time of questions, which `NOW` does not fix. */
  readonly systemClock: () => Date;
}

/** The client of one message: its rate limits, its user, and the log for failures of its calls. */
export interface McpClient extends RequestingClient {
  /** Whether the message was sent with an API key, which must be valid also for public tools. */
  readonly hasKey: boolean;
  /** Counts a call against the rate limit for definitions. Throws `rate_limited`. */
  countQuery(): Promise<void>;
  /** Counts a call against the rate limit for the playground. Throws `rate_limited`. */
  countPlaygroundQuery(): Promise<void>;
  /** Identifies the user and counts a change against the user's rate limit. Throws `HttpProblem` if there is no valid credential. */
  identify(now: Date): Promise<Caller>;
  /** The rate limit key of the client. */
  readonly address: string;
  /** The id of the request in the log; undefined without a log. */
  readonly requestId: string | undefined;
  /** Logs a failure of the program, whose cause the client must not see. */
  report(error: unknown): void;
  /** Aborts when the client cancels the message or disconnects. */
  readonly signal: AbortSignal | undefined;
}

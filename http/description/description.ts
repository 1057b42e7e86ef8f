import type { ParameterDefinition } from '../../engine/index.js';
import type { JsonSchema } from '../json-schema.js';
import type { Operation } from '../operations/operation.js';

/** Everything that the service answers, in the words of no format: schemas are whole, and those with a `title` have a name. */
export interface Description {
  readonly tags: readonly DescribedTag[];
  readonly operations: readonly DescribedOperation[];
  /** The cookie of people who signed in with a browser, where they can. */
  readonly sessionCookie: string | undefined;
}

export interface DescribedTag {
  readonly name: string;
  readonly description?: string;
}

export interface DescribedOperation {
  readonly id: string;
  readonly method: Operation['method'];
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Operation['access'];
  readonly parameters: Readonly<Record<string, ParameterDefinition>>;
  /** Schemas of parameters that nothing of the definition bounds. */
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
  readonly body?: JsonSchema;
  readonly answers: readonly DescribedAnswer[];
}

export interface DescribedAnswer {
  readonly status: number;
  readonly description: string;
  /** By media type. */
  readonly content: Readonly<Record<string, JsonSchema>>;
  readonly headers: Readonly<Record<string, DescribedHeader>>;
  readonly examples?: readonly Example[];
  /** The codes that an answer with an error may have. */
  readonly codes?: readonly string[];
  /** Where many operations have the same answer. */
  readonly name?: string;
}

export interface DescribedHeader {
  readonly description: string;
  readonly schema: JsonSchema;
  /** Whether every such answer has it. */
  readonly required: boolean;
}

/** An answer as it really came. */
export interface Example {
  readonly name: string;
  /** Such as `GET /v1/collections/`. */
  readonly request: string;
  readonly answer: unknown;
  /** Says so where rows were left out. */
  readonly note?: string;
}

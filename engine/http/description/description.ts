import type { ParameterDefinition } from '../../definitions/definition.js';
import type { JsonSchema } from '../json-schema.js';
import type { Operation } from '../operations/operation.js';

/**
 * All operations of the service, independent of the format of the API description. Schemas contain no references; a
 * schema with a `title` becomes a named schema in the written document.
 */
export interface Description {
  readonly title: string;
  readonly summary: string;
  readonly tags: readonly DescribedTag[];
  readonly operations: readonly DescribedOperation[];
  /** The name of the session cookie; undefined if users cannot sign in with a browser. */
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
  /** Set if the operation is deprecated. `sunset` is the day from which it may stop working, as `YYYY-MM-DD`. */
  readonly deprecation?: { readonly sunset?: string };
  /** Who can call the operation: `caller` is an API key or a token with the access that a definition requires. */
  readonly access: Operation['access'];
  /** Set if an API key of a user is sufficient for an operation that needs a user. */
  readonly acceptsKeys?: true;
  readonly parameters: Readonly<Record<string, ParameterDefinition>>;
  /** Schemas that replace those derived from `parameters`, by parameter name. */
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
  readonly body?: JsonSchema;
  readonly answers: readonly DescribedAnswer[];
}

export interface DescribedAnswer {
  readonly status: number;
  readonly description: string;
  /** The schemas of the body by media type. */
  readonly content: Readonly<Record<string, JsonSchema>>;
  readonly headers: Readonly<Record<string, DescribedHeader>>;
  readonly examples?: readonly Example[];
  /** The error codes that this answer can contain. */
  readonly codes?: readonly string[];
  /** The name of an answer that several operations share. */
  readonly name?: string;
}

export interface DescribedHeader {
  readonly description: string;
  readonly schema: JsonSchema;
  /** Whether every answer with this status has the header. */
  readonly required: boolean;
}

/** A recorded request and its answer. */
export interface Example {
  readonly name: string;
  /** The request line, for example `GET /v1/collections/`. */
  readonly request: string;
  readonly answer: unknown;
  /** A text that states how many rows were omitted. */
  readonly note?: string;
}

import type { CallToolResult, Tool as ToolDescription } from '@modelcontextprotocol/server';
import type { JsonSchema } from '../../engine/http/json-schema.js';
import type { Principal, ProtectedDefinition } from '../../engine/index.js';
import type { McpClient } from './mcp-parts.js';

/** A tool: its description for the client, and the function that runs it. */
export interface Tool {
  readonly description: ToolDescription;
  /** Who can call the tool: the definition that it runs, or the rule of SQL of callers; undefined if any client can. */
  readonly definition?: ProtectedDefinition;
  /** Set if the tool needs a user. */
  readonly needsUser?: true;
  /** Whether a caller can call the tool. Default: whether the caller has access to `definition`. */
  readonly isReadableBy?: (caller: Principal | undefined) => boolean;
  /**
   * Runs the tool. `signal` aborts if the client cancels the call. Throws `EngineError` or `HttpProblem`; any other
   * error is a fault of the program.
   */
  run(call: ToolCall): Promise<CallToolResult>;
}

export interface ToolCall {
  /** The arguments as sent by the client. The arguments are not validated. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly client: McpClient;
  readonly signal: AbortSignal;
}

/** The schema of an object, in the form in which tools describe their arguments and results. */
export type ObjectSchema = ToolDescription['inputSchema'];

/**
 * Returns the schema of an object with these properties. With `isExact`, other properties are not allowed. By default, all properties are
 * required.
 */
export function objectSchema(
  properties: Readonly<Record<string, JsonSchema>>,
  { required = Object.keys(properties), isExact = false }: { required?: readonly string[]; isExact?: boolean } = {},
): ObjectSchema {
  const schema = { type: 'object', properties, required, ...(isExact && { additionalProperties: false }) };
  // The type of the protocol only allows JSON values. The schemas of this program contain no other values.
  return schema as unknown as ObjectSchema;
}

/** Annotations of a tool that only reads data of this program. */
export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

import type { CallToolResult } from '@modelcontextprotocol/server';
import { EngineError } from '../../../engine/index.js';
import { HttpProblem } from '../../../http/problems/http-problem.js';
import type { McpClient } from '../mcp-parts.js';

/**
 * Writes the error of a call, so that a model can correct its call or explain the failure: the permanent code, the message,
 * and one line per invalid parameter. Programs find the same facts in `_meta`.
 */
export function errorResult(thrown: unknown, client: McpClient): CallToolResult {
  const error = publicError(thrown, client);
  const { requestId } = client;
  const { code, message } = error;
  const faults = (error instanceof EngineError ? error.details.parameters : error.details.errors) ?? [];
  const retry = error instanceof HttpProblem ? error.details.headers?.['Retry-After'] : undefined;
  const facts = {
    code,
    message,
    ...(faults.length > 0 && { errors: faults }),
    ...(retry !== undefined && { retry_after_seconds: Number(retry) }),
    ...(requestId !== undefined && { request_id: requestId }),
  };
  return {
    isError: true,
    content: [{ type: 'text', text: `Error ${code}:${linesOf(message, faults)}` }],
    _meta: { 'repo-insight/error': facts },
  };
}

function linesOf(message: string, faults: readonly unknown[]): string {
  const lines = faults.flatMap((fault) => messageOf(fault) ?? []);
  return lines.length < 2 ? ` ${message}` : ['', ...lines.map((line) => `- ${line}`)].join('\n');
}

function messageOf(fault: unknown): string | undefined {
  const { message } = fault as { readonly message?: unknown };
  return typeof message === 'string' ? message : undefined;
}

/** Returns what the client may see of an error. Failures of the program, and errors with a cause, are reported to the log. */
export function publicError(thrown: unknown, { report }: Pick<McpClient, 'report'>): EngineError | HttpProblem {
  const isPublic = thrown instanceof EngineError || thrown instanceof HttpProblem;
  if (!isPublic || thrown.cause !== undefined) report(thrown);
  if (isPublic) return thrown;
  return new HttpProblem('internal_error', 'The program failed to answer this call. The log contains the cause.');
}

import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { didYouMean, EngineError } from '../../engine/index.js';
import { definitionTool } from './definition-tool.js';
import type { McpParts } from './mcp-parts.js';
import { playgroundTool } from './playground-tool.js';
import { questionTool } from './question-tool.js';
import type { Tool } from './tool.js';

/** The tools of the current definitions, and the tools that are independent of definitions. */
export class ToolList {
  readonly #parts: McpParts;
  /**
   * The tools that do not depend on definitions. Their names contain an underscore, so that they cannot be equal to names of definitions.
   */
  readonly #own: readonly Tool[];
  #ofGeneration: { readonly generation: number; readonly tools: ReadonlyMap<string, Tool> } | undefined;

  constructor(parts: McpParts) {
    const { playground, questions, clock } = parts;
    this.#parts = parts;
    this.#own = [
      ...(playground === undefined ? [] : [playgroundTool(playground, clock)]),
      ...(questions === undefined ? [] : [questionTool(questions, clock)]),
    ];
  }

  /** Returns all tools by name. After a reload of the definitions, the tools are created again. */
  all(): ReadonlyMap<string, Tool> {
    const { engine, cache } = this.#parts;
    const { generation, endpoints } = engine;
    if (this.#ofGeneration?.generation !== generation) {
      const tools = [...endpoints.map((endpoint) => definitionTool(endpoint, generation, cache)), ...this.#own];
      this.#ofGeneration = { generation, tools: new Map(tools.map((tool) => [tool.description.name, tool])) };
    }
    return this.#ofGeneration.tools;
  }

  /** Whether only some callers can call some of the tools, so that the list of tools depends on the caller. */
  get areProtected(): boolean {
    return [...this.all().values()].some(({ definition }) => definition?.access !== undefined);
  }

  /** Finds a tool by name. Throws `endpoint_broken` for a broken definition, and a protocol error for an unknown name. */
  find(name: string): Tool {
    const tools = this.all();
    const tool = tools.get(name);
    if (tool !== undefined) return tool;
    try {
      this.#parts.engine.endpoint(name);
    } catch (error) {
      if (error instanceof EngineError && error.code === 'endpoint_broken') throw error;
    }
    const hint = didYouMean(name, [...tools.keys()]);
    const text = JSON.stringify(name.slice(0, MAX_NAME));
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${text}${hint}.`);
  }
}

/** The maximum length of a tool name in the protocol. */
const MAX_NAME = 128;

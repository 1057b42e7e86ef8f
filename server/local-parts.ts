import type { McpParts } from '../app-routes/mcp/mcp-parts.js';
import { Playground } from '../explorer/playground/playground.js';
import { clockOf, readSystemTime } from './clock.js';
import { composeCache } from './compose-cache.js';
import type { OpenDatabase } from './databases/warehouse.js';
import { EXAMPLE_SQL, githubMcp } from './github-operations.js';
import { openEngine } from './open-engine.js';
import { mcpPlaygroundOf, openSqlAccess, ownApiParts } from './own-api.js';
import type { Settings } from './settings/settings.js';

/**
 * Creates the parts of the MCP server for a process that runs no service. Questions are not available, because only a service has users.
 * `close` does not close the warehouse.
 */
export async function openMcpParts(
  settings: Settings,
  {
    database,
    versions,
    readPublicTables,
    openPlayground,
  }: Pick<OpenDatabase, 'database' | 'versions' | 'readPublicTables' | 'openPlayground'>,
): Promise<{ readonly parts: McpParts; close(): Promise<void> }> {
  const clock = clockOf(settings);
  const engine = await openEngine(settings, database, { versions });
  await engine.refreshChoices();
  const publicTables = await readPublicTables();
  const { api } = settings;
  const access = api && (await openSqlAccess(api));
  const playground =
    openPlayground && publicTables.size > 0
      ? new Playground(await openPlayground(), publicTables, settings.playgroundSeconds * 1000, access && { access })
      : undefined;
  const cache = await composeCache({
    settings,
    database,
    engine,
    versions,
    redis: undefined,
    clock,
    systemClock: readSystemTime,
  });
  const texts = api === undefined ? githubMcp(database) : ownApiParts(api, playground).mcp;
  const sql = playground && (api === undefined ? { playground, example: EXAMPLE_SQL } : mcpPlaygroundOf(playground));
  const parts = { engine, cache, clock, ...texts, playground: sql, questions: undefined };
  return { parts, close: () => cache.close() };
}

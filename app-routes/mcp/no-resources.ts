import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { McpResources } from './mcp-parts.js';

/** The resources of a service that publishes no tables. */
export const NO_RESOURCES: McpResources = {
  list: async () => [],
  templates: [],
  read: async (uri) => {
    throw new ResourceNotFoundError(uri, 'This service has no resources.');
  },
};

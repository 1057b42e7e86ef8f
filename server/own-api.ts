import { SERVICE } from '../engine/http/package-root.js';
import { HttpProblem } from '../engine/http/problems/http-problem.js';
import type { ServiceParts } from './service-parts.js';
import type { ApiFolder } from './settings/api-folder.js';

/** Returns the parts of the service for an API in a folder: its texts, and no users, questions or playground. */
export function ownApiParts({ title, description, prefixes }: ApiFolder): ServiceParts {
  return {
    home: { name: title, version: SERVICE.version, description, links: LINKS },
    identify: async () => {
      throw new HttpProblem('credential_missing', 'This service has no users.');
    },
    features: { signIn: false, model: false },
    operations: [],
    facts: { title, summary: description, prefixes, examples: {} },
    links: { e: 'Endpoints' },
    mcp: {
      about: { name: title, description },
      playground: undefined,
      questions: undefined,
      resources: async () => (await import('../app-routes/mcp/no-resources.js')).NO_RESOURCES,
    },
    explorer: undefined,
    playgroundPool: undefined,
    github: undefined,
  };
}

const LINKS = { reference: '/docs', openapi: '/openapi.json', health: '/healthy/' };

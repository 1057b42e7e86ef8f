import type { Database } from '../../engine/index.js';
import { readTypes } from '../../warehouse/coverage.js';
import { readOwnTables } from '../../warehouse/own-tables/stored-own-tables.js';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';
import type { McpResources } from './mcp-parts.js';
import { type OtherResource, tableResources } from './table-resources.js';

/** The resources of the service with the data of GitHub. */
export function githubResources(database: Database): McpResources {
  return tableResources({
    tables: TABLE_REFERENCE,
    readOwnTables: () => readOwnTables(database),
    template: { title: 'A public table or an own table' },
    others: [{ resource: COVERAGE, read: async () => ({ types: await readTypes(database) }) }],
  });
}

const COVERAGE: OtherResource['resource'] = {
  uri: 'repo-insight://coverage',
  name: 'coverage',
  title: 'Coverage of the data',
  description:
    'Per type of event: the number of stored events, the first and last day, the number of days with events, and the time of the newest event. All times are UTC.',
  mimeType: 'application/json',
};

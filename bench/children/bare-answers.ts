import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BoundValue, rawFromValues } from '../../engine/index.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import type { Settings } from '../../server/settings/settings.js';

/** A query with its bound parameters. */
export interface BareQuery {
  readonly sql: string;
  readonly values: readonly BoundValue[];
}

/** Returns the query of the first example of each endpoint, by path `/<endpoint name>`. */
export async function exampleQueries(settings: Settings): Promise<ReadonlyMap<string, BareQuery>> {
  const endpoints = await loadDefinitions(settings);
  return new Map(
    endpoints.map((endpoint) => {
      const raw = rawFromValues(endpoint.parameters, endpoint.definition.examples[0]?.params ?? {});
      const now = new Date(settings.now ?? Number.NaN);
      return [`/${endpoint.definition.name}`, endpoint.query.compile(endpoint.readParameters(raw), now)];
    }),
  );
}

/** Serves the rows for each path until SIGTERM, only with JSON.stringify and node:http. */
export function serveRows(rowsOf: (path: string) => Promise<unknown>): void {
  const server = createServer(async (request, response) => {
    const rows = await rowsOf(request.url ?? '');
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(rows));
  });
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  });
  process.once('SIGTERM', () => process.exit());
}

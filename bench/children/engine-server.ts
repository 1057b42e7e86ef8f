/**
 * The engine behind node:http, without the HTTP layer of the service. The figures of this server are compared with those of the servers
 * that use the driver alone. The arguments are settings.
 */

import { toEnvelope } from '../../engine/http/envelopes/envelope.js';
import { type RawParameters, rawFromValues } from '../../engine/index.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import { openEngine } from '../../server/open-engine.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { serveRows } from './bare-answers.js';
import { variablesOf } from './variables.js';

const settings = readSettings(variablesOf(process.argv.slice(2)));
const warehouse = await openWarehouse(settings, { migrating: false });
const engine = await openEngine(settings, warehouse.database);
const requests = new Map<string, RawParameters>(
  engine.endpoints.map(({ definition, parameters }) => [
    definition.name,
    rawFromValues(parameters, definition.examples[0]?.params ?? {}),
  ]),
);

serveRows(async (path) => {
  const name = path.slice(1);
  const raw = requests.get(name);
  if (raw === undefined) throw new Error(`no endpoint ${name}`);
  return toEnvelope(await engine.run(engine.endpoint(name), raw));
});

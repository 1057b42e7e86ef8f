import { type Verification, type VerifyOptions, verifyEndpoint } from '../../../../engine/authoring/index.js';
import {
  type BrokenEndpoint,
  createEngine,
  type Database,
  type Endpoint,
  PATIENT_METADATA_TIMEOUT_MS,
} from '../../../../engine/index.js';
import { clockOf } from '../../../../server/clock.js';
import { checkDialect } from '../../../../server/settings/definitions.js';
import type { CommandContext } from '../../../terminal/command-context.js';

/** Returns a definition as broken, with its problems, if this kind of database cannot run it; otherwise undefined. */
export function findRejection(endpoint: Endpoint, database: Database): BrokenEndpoint | undefined {
  const alone = { endpoints: [endpoint], broken: [], shared: [], folders: [], problems: [] };
  return checkDialect(database, alone).broken[0];
}

/** Tests a single definition on a database, with an engine that contains only this definition. */
export async function verifyAlone(
  { settings, signal }: Pick<CommandContext, 'settings' | 'signal'>,
  endpoint: Endpoint,
  database: Database,
  options: Pick<VerifyOptions, 'values' | 'fixtures'> = {},
): Promise<Verification> {
  const stopwatch = () => performance.now();
  const clock = clockOf(settings);
  const metadataTimeoutMs = PATIENT_METADATA_TIMEOUT_MS;
  const engine = createEngine({ endpoints: [endpoint], database, stopwatch, clock, metadataTimeoutMs });
  await engine.refreshChoices();
  return verifyEndpoint(engine, endpoint, { clock, stopwatch, signal, ...options });
}

import type { Verification } from '../../../../engine/authoring/index.js';
import type { Database, Endpoint, ParameterValue, Warning } from '../../../../engine/index.js';
import { clockOf } from '../../../../server/clock.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import type { Output } from '../../../terminal/output.js';

export interface LintedVerification extends Verification {
  readonly warnings: readonly Warning[];
}

/** Returns a function that finds the warnings of endpoints. A database is only used for the facts about tables. */
export async function createLinter(
  { settings }: Pick<CommandContext, 'settings'>,
  database?: Database,
  signal?: AbortSignal,
): Promise<(endpoints: readonly Endpoint[]) => Warning[]> {
  const { deduplicateWarnings } = await import('../../../../engine/index.js');
  const { lintEndpoint } = await import('../../../../engine/authoring/index.js');
  const { readFacts } = await import('../known-tables.js');
  const tables = await readFacts(settings, database, signal);
  return (endpoints) => deduplicateWarnings(endpoints.flatMap((endpoint) => lintEndpoint(endpoint, tables)));
}

/**
 * Returns a function that finds the warnings of endpoints, including warnings about query plans and time zones of a database, with these parameter values.
 */
export async function createPlanLinter(
  { settings, signal }: Pick<CommandContext, 'settings' | 'signal'>,
  database: Database,
) {
  const { findFullScans, findUnknownTimeZones } = await import('../../../../engine/authoring/index.js');
  const { createScanFinder } = await import('../../../../explorer/playground/full-scans.js');
  const findScans = createScanFinder(database, signal);
  const findWarnings = await createLinter({ settings }, database, signal);
  return async (endpoint: Endpoint, values: Readonly<Record<string, ParameterValue>>): Promise<Warning[]> => {
    return [
      ...findWarnings([endpoint]),
      ...(await findFullScans(endpoint, { findScans, clock: clockOf(settings), values })),
      ...(await findUnknownTimeZones(endpoint, database, signal)),
    ];
  };
}

/** Finds the warnings of a definition that was just tested. */
export async function findTestedWarnings(
  context: Pick<CommandContext, 'settings' | 'signal'>,
  database: Database,
  { endpoint, verification, values = {} }: Tested,
): Promise<Warning[]> {
  if (!canPlan(verification)) return (await createLinter(context, database, context.signal))([endpoint]);
  return (await createPlanLinter(context, database))(endpoint, values);
}

interface Tested {
  readonly endpoint: Endpoint;
  readonly verification: Verification;
  readonly values?: Readonly<Record<string, ParameterValue>>;
}

/** Whether the database can plan the queries. A rejected query has no plan. */
export function canPlan({ checks }: Verification): boolean {
  return checks.every(({ kind, ok }) => ok || (kind !== 'definition' && kind !== 'variant'));
}

export async function printWarnings(output: Output, warnings: readonly Warning[]): Promise<void> {
  const { formatWarning } = await import('../../../../engine/index.js');
  for (const warning of warnings) output.print(`${output.coloured('yellow', 'warning:')} ${formatWarning(warning)}`);
}

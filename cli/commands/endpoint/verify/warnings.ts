import type { Endpoint, Warning } from '../../../../engine/index.js';
import type { Output } from '../../../terminal/output.js';

/** Returns the function that finds the warnings of endpoints. It needs no database. */
export async function createLinter(): Promise<(endpoints: readonly Endpoint[]) => Warning[]> {
  const { deduplicateWarnings, lintEndpoint } = await import('../../../../engine/index.js');
  const { readTableFacts } = await import('../../../../warehouse/schema/table-facts.js');
  const tables = await readTableFacts();
  return (endpoints) => deduplicateWarnings(endpoints.flatMap((endpoint) => lintEndpoint(endpoint, tables)));
}

export async function printWarnings(output: Output, warnings: readonly Warning[]): Promise<void> {
  const { formatWarning } = await import('../../../../engine/index.js');
  for (const warning of warnings) output.print(`${output.coloured('yellow', 'warning:')} ${formatWarning(warning)}`);
}

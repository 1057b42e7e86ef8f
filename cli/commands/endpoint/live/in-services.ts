import type { Service } from '../../../../server/service.js';
import type { CommandContext } from '../../../terminal/command-context.js';

export type Definitions = Service['definitions'];

/**
 * In the process of a running service, runs `work` with its definitions and returns the report. In any other process, asks each process of
 * the service to run the same command with `--json`, and returns the reports. Throws if no service is running. If a process could not run
 * the command, it has printed the reason, and the exit code is 2.
 */
export async function inServices<Report>(
  context: CommandContext,
  words: readonly string[],
  work: (definitions: Definitions) => Report | Promise<Report>,
): Promise<readonly Report[]> {
  const { service, settings } = context;
  if (service !== undefined) return [await work(service.definitions)];
  const replies = await context.askServices(['endpoint', ...words, '--json']);
  if (replies.length === 0) {
    const { databasePlace } = await import('../../../../server/settings/database-location.js');
    throw new Error(`No service is running on ${databasePlace(settings)}. Start one with \`repo-insight serve\`.`);
  }
  if (replies.some(({ code }) => code === 2)) context.exitCode = 2;
  return replies.filter(({ code }) => code !== 2).map(({ out }) => JSON.parse(out) as Report);
}

/** Sets the exit code, unless a process could not run the command (exit code 2). */
export function setExitCode(context: CommandContext, code: 0 | 1): void {
  if (context.exitCode !== 2) context.exitCode = code;
}

/** Throws if a name has no canary. */
export function requireCanaries(definitions: Definitions, names: readonly string[]): void {
  const known = definitions.canaries().map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const expected = known.length === 0 ? 'there are no canaries' : `the canaries are ${known.join(', ')}`;
  throw new Error(`${unknown} has no canary: ${expected}. \`endpoint reload --canary 10\` starts canaries.`);
}

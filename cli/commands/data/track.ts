import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { SourceName } from '../../../github/tracking/tracking-progress.js';
import { clockOf } from '../../../server/clock.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { count, plural, wholeNumber } from '../../terminal/numbers.js';

interface JsonOption {
  readonly json?: boolean;
}

interface FollowOptions extends JsonOption {
  readonly only?: SourceName;
  readonly budget?: number;
  readonly wait: boolean;
}

interface DiscoverOptions extends JsonOption {
  readonly limit: number;
  readonly budget: number;
  readonly add?: boolean;
}

export function addTrackCommands(parent: Command, context: CommandContext): void {
  const track = parent
    .command('track')
    .description('tracked repositories, whose stars, events and issues are read from GitHub');
  track
    .command('add')
    .description('track repositories, in addition to those of public collections and subscriptions')
    .argument('<repository...>', 'owner/name')
    .option('--json', 'print JSON')
    .action((names: string[], options: JsonOption) => addRepositories(context, names, options));
  track
    .command('import')
    .description('track the repositories of a file')
    .argument('<file>', 'one owner/name per line, # starts a comment; or collections as JSON or YAML')
    .option('--json', 'print JSON')
    .action(async (file: string, options: JsonOption) =>
      addRepositories(context, await readNames(resolve(context.cwd, file)), options),
    );
  track
    .command('remove')
    .description('stop tracking repositories that were added')
    .argument('<repository...>', 'owner/name')
    .option('--json', 'print JSON')
    .action((names: string[], options: JsonOption) => removeRepositories(context, names, options));
  track
    .command('list')
    .description('list the tracked repositories and how far their sources were read')
    .option('--json', 'print JSON')
    .action((options: JsonOption) => listRepositories(context, options));
  track
    .command('follow')
    .description('read the sources that are due from GitHub, those of collections first')
    .addOption(new Option('--only <source>', 'read one source').choices(SOURCES))
    .option('--budget <requests>', 'maximum number of requests to GitHub', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--no-wait', 'stop at the rate limit of GitHub instead of waiting until it ends')
    .option('--json', 'print the summary as JSON')
    .action((options: FollowOptions) => follow(context, options));
  track
    .command('discover')
    .description('propose repositories that rise and are not tracked, from the events and from a search at GitHub')
    .option('--limit <number>', 'maximum number of proposals', wholeNumber(1, 10_000), 100)
    .option(
      '--budget <requests>',
      'maximum number of requests to GitHub, each for 100 repositories',
      wholeNumber(0, 10),
      3,
    )
    .option('--add', 'track the proposals')
    .option('--json', 'print JSON')
    .action((options: DiscoverOptions) => discoverRepositories(context, options));
}

const SOURCES: readonly SourceName[] = ['repository', 'stars', 'events', 'issues'];

const NAME = /^[^/\s]+\/[^/\s]+$/;

async function readNames(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8');
  if (/\.(?:json|ya?ml)$/i.test(file)) {
    const { readCollections } = await import('../../../warehouse/collections.js');
    const items = readCollections(file, text).flatMap((collection) => collection.items);
    return [...new Set(items.map((item) => item.repo_name))];
  }
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

async function addRepositories(context: CommandContext, names: readonly string[], { json }: JsonOption): Promise<void> {
  const { addTracked } = await import('../../../github/tracking/tracked-repositories.js');
  const { requireStore } = await import('../../../server/databases/warehouse.js');
  const { output, settings, signal } = context;
  requireNames(names);
  const store = requireStore(await context.newWarehouse());
  const client = await createClient(context);
  const progress = output.progress('Adding repositories');
  const { added, known, unknown, renamed } = await addTracked(store, client, names, {
    wait: true,
    signal,
    clock: clockOf(settings),
    onNotice: (notice) => output.note(notice),
    onProgress: (done, total) => progress.update(done, total, `${count(done)} of ${plural(total, 'repository')}`),
  }).finally(() => progress.stop());
  if (json) output.json({ added, known, unknown, renamed });
  else {
    output.print(`${plural(added, 'repository')} added, ${count(known)} tracked before.`);
    for (const [name, current] of renamed) output.note(`${name}: its name is ${current} now`);
    for (const name of unknown) output.warn(`${name}: neither this data set nor GitHub has this repository`);
  }
  context.exitCode = unknown.length === 0 ? 0 : 1;
}

function requireNames(names: readonly string[]): void {
  const wrong = names.find((name) => !NAME.test(name));
  if (wrong !== undefined) throw new Error(`Expected owner/name, got ${wrong}.`);
}

async function removeRepositories(
  context: CommandContext,
  names: readonly string[],
  { json }: JsonOption,
): Promise<void> {
  const { removeTracked } = await import('../../../github/tracking/tracked-repositories.js');
  const { requireStore } = await import('../../../server/databases/warehouse.js');
  const { output } = context;
  requireNames(names);
  const store = requireStore(await context.warehouse());
  const unknown: string[] = [];
  for (const name of names) if (!(await removeTracked(store, name))) unknown.push(name);
  const removed = names.length - unknown.length;
  if (json) output.json({ removed, unknown });
  else {
    output.print(`${plural(removed, 'repository')} removed.`);
    for (const name of unknown) output.warn(`${name}: was not added by \`data track add\``);
  }
  context.exitCode = unknown.length === 0 ? 0 : 1;
}

async function listRepositories({ warehouse, output }: CommandContext, { json }: JsonOption): Promise<void> {
  const { listTracked } = await import('../../../github/tracking/tracked-repositories.js');
  const { requireStore } = await import('../../../server/databases/warehouse.js');
  const repositories = await requireStore(await warehouse()).write(listTracked);
  if (json) return output.json({ repositories });
  output.table(
    ['repository', 'id', 'tracked as', 'source', 'checked', 'complete', 'last error'],
    repositories.flatMap(({ id, name, reason, sources }) =>
      Object.entries(sources).map(([source, { checkedAt = 'never', completedAt = 'no', error }]) => [
        name,
        id,
        reason,
        source,
        checkedAt,
        completedAt,
        error,
      ]),
    ),
  );
}

async function follow(context: CommandContext, { only, budget, wait, json }: FollowOptions): Promise<void> {
  const { followTracked } = await import('../../../github/tracking/follow-tracked.js');
  const { importFolders, requireStore } = await import('../../../server/databases/warehouse.js');
  const { output, settings, signal } = context;
  const store = requireStore(await context.warehouse());
  const client = await createClient(context);
  if (settings.githubToken === undefined) output.note('Without GITHUB_TOKEN, GitHub allows 60 requests per hour.');
  const progress = output.progress('Reading sources');
  const summary = await followTracked(store, client, {
    ...(only !== undefined && { only }),
    ...(budget !== undefined && { budget }),
    wait,
    signal,
    stagingDirectory: importFolders(settings).stagingDirectory,
    clock: clockOf(settings),
    onNotice: (notice) => output.note(notice),
    onProgress: ({ done, due, requests }) =>
      progress.update(done, due, `${count(done)} of ${plural(due, 'source')}, ${plural(requests, 'request')}`),
  }).finally(() => progress.stop());
  const { updated, absent, failed, left, requests, events, seconds, stopped } = summary;
  if (json) output.json(summary);
  else {
    const others =
      (absent === 0 ? '' : `, ${count(absent)} not on GitHub`) + (failed === 0 ? '' : `, ${count(failed)} failed`);
    output.print(
      `${plural(updated, 'source')} up to date${others}, ${count(left)} left, ` +
        `with ${plural(requests, 'request')} in ${seconds.toFixed(1)} s; ${plural(events, 'event')} added.`,
    );
    if (stopped !== undefined) output.warn(`${stopped} Run the same command again to continue.`);
  }
  context.exitCode = stopped === undefined && failed === 0 ? 0 : 1;
}

async function discoverRepositories(
  context: CommandContext,
  { limit, budget, add = false, json }: DiscoverOptions,
): Promise<void> {
  const { discover } = await import('../../../github/tracking/discover.js');
  const { requireStore } = await import('../../../server/databases/warehouse.js');
  const { output, settings, signal } = context;
  const store = requireStore(await context.warehouse());
  const client = await createClient(context);
  const onNotice = (notice: string) => output.note(notice);
  const trackUntil = add ? Number.POSITIVE_INFINITY : 0;
  const options = { limit, budget, trackUntil, wait: true, signal, clock: clockOf(settings), onNotice };
  const { proposals, added, requests, stopped } = await discover(store, client, options);
  if (json) output.json({ proposals, added, requests, ...(stopped !== undefined && { stopped }) });
  else {
    if (proposals.length > 0)
      output.table(
        ['repository', 'id', 'reason'],
        proposals.map(({ name, id, reason }) => [name, id, reason]),
      );
    const done = add ? `${plural(added, 'repository')} added.` : 'To track them, use --add or `data track add`.';
    output.print(`${plural(proposals.length, 'proposal')}, with ${plural(requests, 'request')}. ${done}`);
    if (stopped !== undefined) output.warn(`GitHub was not searched to the end: ${stopped}`);
  }
  context.exitCode = stopped === undefined ? 0 : 1;
}

/** Creates the client without retries, because the commands themselves repeat failed requests. */
async function createClient({ settings, output }: CommandContext) {
  const { createAnyGitHubClient } = await import('../../../server/github-client.js');
  return createAnyGitHubClient(settings, 0, (notice) => output.warn(notice));
}

import type { Command } from 'commander';
import type { BrokenEndpoint, Endpoint, OutdatedEndpoint } from '../../../engine/index.js';
import type { CommandContext, ServiceReply } from '../../terminal/command-context.js';

interface Options {
  readonly json?: boolean;
}

export function addListCommand(parent: Command, context: CommandContext): void {
  parent
    .command('list')
    .description('list all endpoints, the problems of broken ones, and the files whose last good version is served')
    .option('--json', 'print JSON')
    .action((options: Options) => list(context, options));
}

async function list(context: CommandContext, { json = false }: Options): Promise<void> {
  const { service, output } = context;
  // A running service knows more than the files: which definitions it cannot serve in their newest version.
  if (service === undefined) {
    const replies = await context.askServices(['endpoint', 'list', '--json']);
    if (replies.length > 0) {
      printReplies(context, replies, json);
      return;
    }
  }
  const { endpoints, broken, outdated } = await readState(context);
  const { formatProblems } = await import('../../../engine/index.js');
  const old = new Map(outdated.map((one) => [one.endpoint, describeOutdated(one, formatProblems([one]))]));
  const rows = [
    ...endpoints.map((endpoint) => old.get(endpoint) ?? describe(endpoint)),
    ...broken.map((one) => describeBroken(one, formatProblems([one]))),
  ].sort((a, b) => (a.file < b.file ? -1 : 1));
  printRows(output, rows, json);
  if (broken.length + outdated.length > 0) context.exitCode = 1;
}

function printRows(output: CommandContext['output'], rows: readonly Row[], json: boolean): void {
  if (json) output.json(rows);
  else
    output.table(
      ['name', 'path', 'summary'],
      rows.map((row) => [row.name, row.path, textOf(row)]),
      { optional: ['path'], prose: ['summary'] },
    );
}

/** Prints the definitions of a service: the list of its first process, and the names of definitions that differ in other processes. */
function printReplies(context: CommandContext, replies: readonly ServiceReply[], json: boolean): void {
  const lists = replies.flatMap(({ out }) => (out === '' ? [] : [JSON.parse(out) as Row[]]));
  const [first = [], ...others] = lists;
  if (lists.length > 0) printRows(context.output, first, json);
  const different = new Set(others.flatMap((other) => findDifferent(first, other)));
  if (different.size > 0) {
    const names = [...different].sort().join(', ');
    context.output.warn(`The processes serve different definitions (${names}): run \`endpoint reload\`.`);
  }
  const isGood = lists.length > 0 && different.size === 0 && replies.every(({ code }) => code === 0);
  context.exitCode = isGood ? 0 : 1;
}

/** Returns the names, or the files, of definitions whose version or state differs between two processes. */
function findDifferent(one: readonly Row[], other: readonly Row[]): string[] {
  const [ones, others] = [statesOf(one), statesOf(other)];
  const all = new Map([...ones, ...others]);
  return [...all].flatMap(([key, { name }]) => (ones.has(key) && others.has(key) ? [] : [name]));
}

/** Returns the states to compare. The states do not contain the time of a problem, because processes notice it at different times. */
function statesOf(rows: readonly Row[]): ReadonlyMap<string, { readonly name: string }> {
  return new Map(
    rows.map(({ outdatedSince, ...row }) => [
      JSON.stringify([row, outdatedSince === undefined]),
      { name: row.name === '' ? row.file : row.name },
    ]),
  );
}

interface State {
  readonly endpoints: readonly Endpoint[];
  readonly broken: readonly BrokenEndpoint[];
  readonly outdated: readonly OutdatedEndpoint[];
}

/** Returns the state of the running service if it serves the folders of the caller, otherwise the state of the files. */
async function readState({ service, settings }: CommandContext): Promise<State> {
  const { definitionFolders } = await import('../../../server/settings/definition-folders.js');
  const folders = definitionFolders(settings);
  if (service?.definitions.folders.join() === folders.join()) return service.definitions.state();
  const { checkDialect, readDefinitions } = await import('../../../server/settings/definitions.js');
  const { dialectOf } = await import('../../../server/dialect.js');
  return { ...checkDialect(dialectOf(settings), await readDefinitions(settings)), outdated: [] };
}

interface Row {
  readonly name: string;
  readonly path: string;
  readonly file: string;
  /** Identifies the version of the definition, including the shared parts that it uses. */
  readonly version?: string;
  readonly summary?: string;
  readonly deprecated?: string | undefined;
  readonly sunset?: string | undefined;
  readonly problems?: readonly string[];
  readonly outdatedSince?: string;
}

function describe({ definition, parameters, file, contentHash: version }: Endpoint) {
  const { name, path = `/q/${name}`, summary, deprecated, sunset } = definition;
  return { name, path, parameters: Object.keys(parameters), summary, file, version, deprecated, sunset };
}

function describeOutdated({ endpoint, since }: OutdatedEndpoint, problems: readonly string[]) {
  return { ...describe(endpoint), outdatedSince: since.toISOString(), problems };
}

function describeBroken({ name = '', path = name && `/q/${name}`, file }: BrokenEndpoint, problems: readonly string[]) {
  return { name, path, problems, file };
}

function textOf({ summary = '', deprecated, sunset, problems = [], outdatedSince }: Row): string {
  if (problems.length === 0) {
    if (deprecated === undefined) return summary;
    return `deprecated since ${deprecated}${sunset === undefined ? '' : `, ends ${sunset}`}: ${summary}`;
  }
  const state = outdatedSince === undefined ? 'broken' : `last good version, outdated since ${outdatedSince}`;
  return `${state}: ${problems.join('; ')}`;
}

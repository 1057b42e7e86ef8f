import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { FixtureEngine, Verification } from '../../../../engine/authoring/index.js';
import type { BrokenEndpoint, Database, Endpoint, Engine, Warning } from '../../../../engine/index.js';
import { clockOf } from '../../../../server/clock.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import type { NamedDefinitions } from '../named-definitions.js';
import { databaseOption, parameterOption, rawFromOption, readValues, requireKnown } from '../options.js';
import type { LintedVerification } from './warnings.js';

interface Options {
  readonly param: readonly string[];
  readonly all?: boolean;
  readonly strict?: boolean;
  readonly fixtures?: boolean;
  readonly update?: boolean;
  readonly json?: boolean;
  readonly github?: boolean;
  readonly junit?: string;
  readonly verbose?: boolean;
  readonly coverage?: boolean;
  readonly minCoverage?: number;
  readonly databaseUrl?: string;
  readonly against?: string;
}

export function addTestCommand(parent: Command, context: CommandContext): void {
  parent
    .command('test')
    .description('test definitions on the database: SQL texts, columns, examples, fixtures and generated requests')
    .argument('[names...]', 'names or files of the endpoints to test')
    .option('--all', 'test every endpoint')
    .addOption(
      new Option('--fixtures', 'run only the fixtures, without a database').conflicts(['databaseUrl', 'against']),
    )
    .addOption(
      new Option('--update', 'write the current rows of examples and fixtures into the files').conflicts(['against']),
    )
    .addOption(parameterOption('value that exists in the data, instead of the value of the examples; repeatable'))
    .addOption(databaseOption('--database-url', 'use this database instead of DATABASE_URL'))
    .addOption(databaseOption('--against', 'compare with this database: both must return the same rows'))
    .option('--strict', 'exit with 1 if there are warnings')
    .option('--verbose', 'also show passed checks')
    .option('--coverage', 'list variants, values, parameters and notices that no request exercised')
    .addOption(
      new Option('--min-coverage <percent>', 'fail if requests exercise a smaller share').argParser(readPercent),
    )
    .option('--junit <file>', 'write the result as JUnit XML')
    .addOption(new Option('--github', 'print failures as annotations of GitHub Actions').conflicts(['json']))
    .option('--json', 'print JSON')
    .action((names: string[], options: Options) => test(context, names, options));
}

function readPercent(text: string): number {
  if (!/^(\d{1,2}|100)$/.test(text)) throw new InvalidArgumentError('Expected an integer from 0 to 100.');
  return Number(text);
}

async function test(context: CommandContext, names: readonly string[], options: Options): Promise<void> {
  const { withEngine } = await import('../with-engine.js');
  if (names.length === 0 && !options.all) throw new Error('Name the endpoints to test, or use --all.');
  // The queries on all databases use the same current time.
  const now = context.settings.now ?? new Date().toISOString();
  const still = { ...context, settings: { ...context.settings, now } };
  if (options.fixtures) {
    const { readDefinitions } = await import('../../../../server/settings/definitions.js');
    const { endpoints, broken } = await readDefinitions(context.settings);
    const selection = await select(context, { endpoints, broken: () => broken }, names, options);
    context.exitCode = (await verifyOrUpdate(still, {}, selection, options)) ? 0 : 1;
    return;
  }
  await withEngine(still, options.databaseUrl, async (engine, database) => {
    const selection = await select(context, engine, names, options);
    requireKnown(rawFromOption(options.param).query, selection.endpoints);
    const hasPassed =
      options.against === undefined
        ? await verifyOrUpdate(still, { engine, database }, selection, options)
        : await compareWith(still, engine, selection, { ...options, against: options.against });
    context.exitCode = hasPassed ? 0 : 1;
  });
}

interface Selection {
  readonly endpoints: readonly Endpoint[];
  readonly broken: readonly BrokenEndpoint[];
  /** The unknown names, with a message for each. */
  readonly unknown: readonly { readonly name: string; readonly message: string }[];
}

/** Finds the endpoints to test. Throws an error if all names are unknown. */
async function select(
  context: CommandContext,
  engine: Pick<Engine, 'endpoints' | 'broken'>,
  names: readonly string[],
  { all }: Options,
): Promise<Selection> {
  const { findDefinitions } = await import('../named-definitions.js');
  if (all) return { ...allOf(engine), unknown: [] };
  const found: NamedDefinitions[] = [];
  const unknown: { name: string; message: string }[] = [];
  for (const name of names) {
    try {
      found.push(await findDefinitions(context, engine, [name]));
    } catch (error) {
      unknown.push({ name, message: (error as Error).message });
    }
  }
  const [first] = unknown;
  if (first !== undefined && found.length === 0) throw new Error(first.message);
  const endpoints = [...new Set(found.flatMap((one) => one.endpoints))];
  return { endpoints, broken: [...new Set(found.flatMap((one) => one.broken))], unknown };
}

function allOf(engine: Pick<Engine, 'endpoints' | 'broken'>): NamedDefinitions {
  const broken = engine.broken();
  const isBroken = (endpoint: Endpoint) => broken.some(({ file }) => file === endpoint.file);
  return { endpoints: engine.endpoints.filter((endpoint) => !isBroken(endpoint)), broken };
}

async function compareWith(
  context: CommandContext,
  engine: Engine,
  { endpoints, broken, unknown }: Selection,
  { param, against, json = false }: Options & { readonly against: string },
): Promise<boolean> {
  const { compare } = await import('./comparison.js');
  const { withEngine } = await import('../with-engine.js');
  const values = await readValues(endpoints, param);
  const tested = endpoints.map((endpoint) => ({ endpoint, values: values.get(endpoint) ?? {} }));
  for (const { message } of unknown) context.output.error(message);
  const isSame = await withEngine(context, against, (other) =>
    compare(context, [engine, other], { tested, broken }, json),
  );
  return isSame && unknown.length === 0;
}

async function verifyOrUpdate(
  context: CommandContext,
  { engine, database }: Pick<Engines, 'engine' | 'database'>,
  selection: Selection,
  options: Options,
): Promise<boolean> {
  const { withFixtures } = await import('./with-fixtures.js');
  const { json = false, all = false } = options;
  return withFixtures(selection.endpoints, async (fixtures) => {
    if (!options.update) return verify(context, { engine, database, fixtures }, selection, options);
    const { formatProblems } = await import('../../../../engine/index.js');
    const { updateRows } = await import('./update-rows.js');
    for (const problem of formatProblems(selection.broken)) context.output.error(problem);
    for (const { message } of selection.unknown) context.output.error(message);
    const isUpdated = await updateRows(context, selection.endpoints, { engine, fixtures, addsRows: !all, json });
    return isUpdated && selection.broken.length + selection.unknown.length === 0;
  });
}

interface Engines {
  readonly engine?: Engine | undefined;
  /** The database that the engine uses. */
  readonly database?: Database | undefined;
  readonly fixtures: FixtureEngine | undefined;
}

/** Tests all endpoints, and writes the reports. A failing endpoint does not end the run. */
async function verify(
  context: CommandContext,
  { engine, database, fixtures }: Engines,
  { endpoints, broken, unknown }: Selection,
  options: Options,
): Promise<boolean> {
  const { createBrokenVerification, verifyEndpoint } = await import('../../../../engine/authoring/index.js');
  const { coveredPercent, printSummary, printVerification } = await import('./print-verification.js');
  const { printAnnotations } = await import('./github-report.js');
  const { canPlan, createLinter, createPlanLinter, printWarnings } = await import('./warnings.js');
  const { output, settings, signal, cwd } = context;
  if (options.fixtures && fixtures === undefined) output.warn('none of these endpoints has fixtures');
  const started = performance.now();
  const lint = await createLinter(context, database, signal);
  const findWarnings =
    database === undefined ? async (endpoint: Endpoint) => lint([endpoint]) : await createPlanLinter(context, database);
  const verifications: LintedVerification[] = [];
  const add = async (verification: Verification, warnings: readonly Warning[] = []) => {
    verifications.push({ ...verification, warnings });
    if (options.github) return printAnnotations(output, { ...verification, warnings }, cwd);
    if (options.json) return;
    await printVerification(output, verification, { ...options, cwd });
    await printWarnings(output, warnings);
  };
  for (const { name, message } of unknown) {
    const check = { kind: 'definition', name: message, ok: false, ms: 0 } as const;
    await add({ name, file: '', ok: false, checks: [check], rows: [] });
  }
  for (const one of broken) await add(createBrokenVerification(one));
  const values = await readValues(endpoints, options.param);
  const stopwatch = () => performance.now();
  for (const endpoint of endpoints) {
    const limits = { clock: clockOf(settings), stopwatch, values: values.get(endpoint) ?? {}, fixtures, signal };
    const verification = await verifyEndpoint(engine, endpoint, limits);
    await add(verification, canPlan(verification) ? await findWarnings(endpoint, limits.values) : []);
  }
  if (options.json) output.json(verifications);
  else printSummary(output, verifications, performance.now() - started);
  if (options.junit !== undefined) await writeJunitFile(resolve(cwd, options.junit), verifications, cwd);
  const { minCoverage = 0 } = options;
  const isCovered = coveredPercent(verifications) >= minCoverage;
  if (!isCovered) output.error(`The coverage is below ${minCoverage} %; --coverage lists the missing parts.`);
  const isClean = options.strict !== true || verifications.every(({ warnings }) => warnings.length === 0);
  return isCovered && isClean && verifications.every(({ ok }) => ok);
}

async function writeJunitFile(file: string, verifications: readonly Verification[], cwd: string): Promise<void> {
  const { writeJunit } = await import('./junit-report.js');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, writeJunit(verifications, cwd));
}

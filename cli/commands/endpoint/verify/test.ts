import type { Command } from 'commander';
import type {
  BrokenEndpoint,
  Check,
  Database,
  Endpoint,
  Engine,
  Verification,
  Warning,
} from '../../../../engine/index.js';
import { clockOf } from '../../../../server/clock.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import type { NamedDefinitions } from '../named-definitions.js';
import { databaseOption, parameterOption, rawFromOption, requireKnown } from '../options.js';
import type { Tested } from './comparison.js';

interface Options {
  readonly param: readonly string[];
  readonly all?: boolean;
  readonly strict?: boolean;
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly databaseUrl?: string;
  readonly against?: string;
}

export function addTestCommand(parent: Command, context: CommandContext): void {
  parent
    .command('test')
    .description('test definitions on the database: SQL texts, columns, examples and generated requests')
    .argument('[names...]', 'names or files of the endpoints to test')
    .option('--all', 'test every endpoint')
    .addOption(parameterOption('value that exists in the data, instead of the value of the examples; repeatable'))
    .addOption(databaseOption('--database-url', 'use this database instead of DATABASE_URL'))
    .addOption(databaseOption('--against', 'compare with this database: both must return the same rows'))
    .option('--strict', 'exit with 1 if there are warnings')
    .option('--verbose', 'also show passed checks')
    .option('--json', 'print JSON')
    .action((names: string[], options: Options) => test(context, names, options));
}

async function test(context: CommandContext, names: readonly string[], options: Options): Promise<void> {
  const { readKnownValues } = await import('../../../../engine/index.js');
  const { compare } = await import('./comparison.js');
  const { findDefinitions } = await import('../named-definitions.js');
  const { withEngine } = await import('../with-engine.js');
  if (names.length === 0 && !options.all) throw new Error('Name the endpoints to test, or use --all.');
  const { databaseUrl, against, json = false } = options;
  // Both databases run the queries with the same time.
  const now = context.settings.now ?? new Date().toISOString();
  const still = { ...context, settings: { ...context.settings, now } };
  const texts = rawFromOption(options.param).query;
  await withEngine(still, databaseUrl, async (engine, database) => {
    const { endpoints, broken } = options.all ? allOf(engine) : await findDefinitions(context, engine, names);
    requireKnown(texts, endpoints);
    const tested = endpoints.map((endpoint) => ({ endpoint, values: readKnownValues(endpoint, texts) }));
    const hasPassed =
      against === undefined
        ? await verify(still, engine, { tested, broken, database }, options)
        : await withEngine(still, against, (other) => compare(still, [engine, other], { tested, broken }, json));
    context.exitCode = hasPassed ? 0 : 1;
  });
}

function allOf(engine: Engine): NamedDefinitions {
  const broken = engine.broken();
  const isBroken = (endpoint: Endpoint) => broken.some(({ file }) => file === endpoint.file);
  return { endpoints: engine.endpoints.filter((endpoint) => !isBroken(endpoint)), broken };
}

interface Subjects {
  readonly tested: readonly Tested[];
  readonly broken: readonly BrokenEndpoint[];
  readonly database: Database;
}

async function verify(
  context: CommandContext,
  engine: Engine,
  { tested, broken, database }: Subjects,
  options: Options,
): Promise<boolean> {
  const { createBrokenVerification, verifyEndpoint } = await import('../../../../engine/index.js');
  const { createPlanLinter, printWarnings } = await import('./warnings.js');
  const { output, settings, signal } = context;
  const findWarnings = await createPlanLinter(context, database);
  const verifications: (Verification & { readonly warnings: readonly Warning[] })[] = broken.map((one) => ({
    ...createBrokenVerification(one),
    warnings: [],
  }));
  if (!options.json)
    for (const verification of verifications) printVerification(context, verification, options.verbose === true);
  for (const { endpoint, values } of tested) {
    const stopwatch = () => performance.now();
    const verification = await verifyEndpoint(engine, endpoint, {
      clock: clockOf(settings),
      stopwatch,
      values,
      signal,
    });
    // A query that the database rejects has no plan.
    const canRun = verification.checks.every(({ kind, ok }) => ok || (kind !== 'definition' && kind !== 'variant'));
    const warnings = canRun ? await findWarnings(endpoint, values) : [];
    verifications.push({ ...verification, warnings });
    if (!options.json) {
      printVerification(context, verification, options.verbose === true);
      await printWarnings(output, warnings);
    }
  }
  if (options.json) output.json(verifications);
  const wrong = verifications.filter(({ ok }) => !ok).length;
  if (!options.json && verifications.length > 1) output.note(`${verifications.length - wrong} ok, ${wrong} failed`);
  return wrong === 0 && (options.strict !== true || verifications.every(({ warnings }) => warnings.length === 0));
}

function printVerification(
  { output }: CommandContext,
  { name, file, ok, checks, rows }: Verification,
  verbose: boolean,
): void {
  output.print(`${ok ? output.coloured('green', 'ok') : output.coloured('red', 'failed')} ${name} (${file})`);
  const listed = checks.filter((check) => verbose || !check.ok);
  const shown = verbose ? listed : listed.slice(0, SHOWN);
  for (const { kind, name: subject, expected, got } of shown) {
    const difference = expected === undefined ? '' : `: expected ${expected}, got ${got}`;
    output.print(
      `  ${expected === undefined ? output.coloured('green', '✓') : output.coloured('red', '✗')} ${kind} ${subject}${difference}`,
    );
  }
  if (listed.length > shown.length) output.print(`  and ${listed.length - shown.length} more; use --verbose`);
  if (checks.every(({ kind }) => kind === 'definition')) return;
  output.table(['checks', 'number', 'failed', 'median ms', 'slowest ms'], summary(checks));
  const [first] = rows;
  if (first === undefined) output.warn('  no request returned rows; pass values that exist in the data with --param');
  else
    output.table(
      Object.keys(first),
      rows.map((row) => Object.values(row)),
    );
}

/** The maximum number of printed failures. A definition that cannot run fails all its checks for the same reason. */
const SHOWN = 10;

const KINDS: readonly Check['kind'][] = ['variant', 'example', 'case', 'column'];

function summary(checks: readonly Check[]): (string | number)[][] {
  return KINDS.map((kind) => {
    const group = checks.filter((check) => check.kind === kind);
    const times = group.map(({ ms }) => ms).sort((a, b) => a - b);
    const at = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1);
    return [kind, group.length, group.filter(({ ok }) => !ok).length, at(0.5), at(1)];
  });
}

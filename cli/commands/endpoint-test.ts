import type { Command } from 'commander';
import {
  type BrokenEndpoint,
  type Check,
  type Endpoint,
  type Engine,
  givenValues,
  type Verification,
  verificationOfBroken,
  verifyEndpoint,
} from '../../engine/index.js';
import { clockOf } from '../../server/clock.js';
import type { CommandContext } from '../command-context.js';
import { compare, type Tested } from './endpoint-comparison.js';
import { databaseOption, endpointNamed, withEngine } from './endpoint-engine.js';
import { parameterOption, rawFromOption, requireKnown } from './endpoint-parameters.js';

interface TestOptions {
  readonly param: readonly string[];
  readonly all?: boolean;
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly databaseUrl?: string;
  readonly against?: string;
}

export function addTestCommand(parent: Command, context: CommandContext): void {
  parent
    .command('test')
    .description('put definitions to the test: texts, columns, examples and generated requests, on the database')
    .argument('[names...]', 'endpoints to test')
    .option('--all', 'test every endpoint')
    .addOption(
      parameterOption('a value that the data have, in place of that of the examples; may be given more than once'),
    )
    .addOption(databaseOption('--database-url', 'another database than that of DATABASE_URL'))
    .addOption(databaseOption('--against', 'a second database: both must give the same rows to every request'))
    .option('--verbose', 'show the checks that went well, too')
    .option('--json', 'as JSON')
    .action((names: string[], options: TestOptions) => test(context, names, options));
}

async function test(context: CommandContext, names: readonly string[], options: TestOptions): Promise<void> {
  if (names.length === 0 && !options.all) throw new Error('Name the endpoints to test, or give --all.');
  const { databaseUrl, against, json = false } = options;
  // Both databases are asked as of one moment.
  const now = context.settings.now ?? new Date().toISOString();
  const still = { ...context, settings: { ...context.settings, now } };
  const texts = rawFromOption(options.param).query;
  await withEngine(still, databaseUrl, async (engine) => {
    const broken = engine.broken().filter((one) => options.all || names.includes(one.name ?? ''));
    const isBroken = (endpoint: Endpoint) => broken.some(({ file }) => file === endpoint.file);
    const right = engine.endpoints.filter((endpoint) => !isBroken(endpoint));
    const isRightName = (name: string) => broken.every((one) => one.name !== name);
    const endpoints = options.all ? right : names.filter(isRightName).map((name) => endpointNamed(engine, name));
    requireKnown(texts, endpoints);
    const tested = endpoints.map((endpoint) => ({ endpoint, given: givenValues(endpoint, texts) }));
    const isRight =
      against === undefined
        ? await verify(still, engine, { tested, broken }, options)
        : await withEngine(still, against, (other) => compare(still, [engine, other], { tested, broken }, json));
    context.exitCode = isRight ? 0 : 1;
  });
}

async function verify(
  context: CommandContext,
  engine: Engine,
  { tested, broken }: { readonly tested: readonly Tested[]; readonly broken: readonly BrokenEndpoint[] },
  options: TestOptions,
): Promise<boolean> {
  const { output, settings, signal } = context;
  const verifications: Verification[] = broken.map(verificationOfBroken);
  if (!options.json) for (const verification of verifications) show(context, verification, options.verbose === true);
  for (const { endpoint, given } of tested) {
    const stopwatch = () => performance.now();
    const verification = await verifyEndpoint(engine, endpoint, { clock: clockOf(settings), stopwatch, given, signal });
    verifications.push(verification);
    if (!options.json) show(context, verification, options.verbose === true);
  }
  if (options.json) output.json(verifications);
  const wrong = verifications.filter(({ ok }) => !ok).length;
  if (!options.json && verifications.length > 1) output.note(`${verifications.length - wrong} right, ${wrong} wrong`);
  return wrong === 0;
}

function show({ output }: CommandContext, { name, file, ok, checks, rows }: Verification, verbose: boolean): void {
  output.print(`${ok ? output.coloured('green', 'ok') : output.coloured('red', 'wrong')} ${name} (${file})`);
  const told = checks.filter((check) => verbose || !check.ok);
  const shown = verbose ? told : told.slice(0, SHOWN);
  for (const { kind, name: subject, expected, got } of shown) {
    const difference = expected === undefined ? '' : `: expected ${expected}, got ${got}`;
    output.print(
      `  ${expected === undefined ? output.coloured('green', '✓') : output.coloured('red', '✗')} ${kind} ${subject}${difference}`,
    );
  }
  if (told.length > shown.length) output.print(`  and ${told.length - shown.length} more, with --verbose`);
  if (checks.every(({ kind }) => kind === 'definition')) return;
  output.table(['checks', 'number', 'failed', 'median ms', 'slowest ms'], summary(checks));
  const [first] = rows;
  if (first === undefined) output.warn('  no request had rows: give values that the data have with --param');
  else
    output.table(
      Object.keys(first),
      rows.map((row) => Object.values(row)),
    );
}

/** A definition that cannot run fails every check for the same reason. */
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

import { basename } from 'node:path';
import type { Answer } from '../../answers/answer.js';
import { isSameName, type TextRow, writePlainRows } from '../../answers/cells/cells.js';
import type { Engine } from '../../answers/engine.js';
import type { Cell, ResultColumn } from '../../databases/interface/database.js';
import { EngineError } from '../../databases/interface/errors.js';
import type { ColumnDefinition, ParameterValue } from '../../definitions/definition.js';
import type { BrokenEndpoint } from '../../definitions/endpoint/broken-endpoint.js';
import { type Endpoint, trialRequest } from '../../definitions/endpoint/endpoint.js';
import type { RawParameters } from '../../definitions/parameters/parameter-values.js';
import type { Problem } from '../../definitions/problem.js';
import { formatChoices } from '../../definitions/template/template-variants.js';
import { baseValues, type Case, generateCases } from './cases.js';
import {
  type Check,
  CheckList,
  createProblemCheck,
  explainError,
  type Failure,
  placeOf,
  reasonOf,
} from './check-list.js';
import { type Coverage, CoverageRecorder, type CoveredBy } from './coverage.js';
import { findRowsFailure } from './expected-rows.js';
import type { FixtureEngine } from './fixture-engine.js';
import { findPageDifference, findTotalDifference } from './pages-check.js';
import { variantValues } from './variant-values.js';
import { verifyFixtures } from './verify-fixtures.js';

export interface Verification {
  readonly name: string;
  readonly file: string;
  readonly ok: boolean;
  readonly checks: readonly Check[];
  /** The first rows of a valid request. */
  readonly rows: readonly TextRow[];
  /** The parts of the definition that the requests exercised; absent for a broken definition. */
  readonly coverage?: Coverage;
}

export interface VerifyOptions {
  readonly clock: () => Date;
  /** Returns milliseconds since any fixed moment. */
  readonly stopwatch: () => number;
  /** Parameter values that replace the base values of the definition. */
  readonly values?: Readonly<Record<string, ParameterValue>>;
  /** Runs the fixtures of the endpoint. Without it, fixtures do not run. */
  readonly fixtures?: FixtureEngine | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Checks an endpoint: its SQL variants, examples, columns and generated requests on the database of the engine, and its fixtures. Without
 * an engine, only the fixtures run. Every failure is a failed check; rejects only if the signal is aborted.
 */
export async function verifyEndpoint(
  engine: Engine | undefined,
  endpoint: Endpoint,
  options: VerifyOptions,
): Promise<Verification> {
  const verifier = new EndpointVerifier(endpoint, options);
  try {
    if (engine !== undefined) await verifier.verifyOn(engine);
  } catch (error) {
    options.signal?.throwIfAborted();
    verifier.fail(error);
  }
  await verifier.verifyFixtures();
  return verifier.verification;
}

/** Creates the verification of a broken definition: one failed check per problem. */
export function createBrokenVerification({ name, file, problems }: BrokenEndpoint): Verification {
  return { name: name ?? basename(file), file, ok: false, checks: problems.map(createProblemCheck), rows: [] };
}

class EndpointVerifier {
  readonly #endpoint: Endpoint;
  readonly #options: VerifyOptions;
  readonly #checks: CheckList;
  readonly #coverage: CoverageRecorder;
  readonly #answers: Answer[] = [];

  constructor(endpoint: Endpoint, options: VerifyOptions) {
    this.#endpoint = endpoint;
    this.#options = options;
    this.#checks = new CheckList(options.stopwatch, options.signal);
    this.#coverage = new CoverageRecorder(endpoint);
  }

  get verification(): Verification {
    const { definition, file } = this.#endpoint;
    const checks = this.#checks.all;
    const first = this.#answers.find((answer) => answer.rows.length > 0)?.rows.slice(0, 5) ?? [];
    const ok = checks.every((check) => check.ok);
    const { coverage } = this.#coverage;
    return { name: definition.name, file, ok, checks, rows: writePlainRows(this.#endpoint, first), coverage };
  }

  /** Adds a failed check for an error that prevents all further checks. */
  fail(error: unknown): void {
    this.#checks.addProblems([this.#endpoint.problem([], `the endpoint cannot be tested: ${reasonOf(error)}`)]);
  }

  async verifyOn(engine: Engine): Promise<void> {
    const endpoint = this.#endpoint;
    // Checks first whether the database rejects a query, because all other checks would then fail for the same reason.
    await engine.lookUp({ withinMs: endpoint.definition.limits.timeoutMs, ...this.#signal }, [endpoint]);
    await engine.refreshChoices({}, [endpoint]);
    const broken = engine.broken().find(({ file }) => file === endpoint.file);
    if (broken !== undefined) return this.#checks.addProblems(broken.problems);
    const base = baseValues(endpoint, this.#options.values);
    const missing = findMissingValue(endpoint, base);
    if (missing !== undefined) return this.#checks.addProblems([missing]);
    await this.#explainVariants(engine, base);
    const run = (by: CoveredBy) => async (raw: RawParameters) => {
      const answer = await engine.run(endpoint, raw, this.#signal);
      this.#answers.push(answer);
      this.#coverage.record(answer, [...Object.keys(raw.path), ...Object.keys(raw.query)], by);
      return answer;
    };
    await this.#tryExamples(run('example'));
    await this.#tryCases(base, run('case'));
    await this.#checkPages(base, (raw) => engine.run(endpoint, raw, this.#signal));
    await this.#checkColumns();
  }

  async verifyFixtures(): Promise<void> {
    const { fixtures, signal } = this.#options;
    if (fixtures === undefined) return;
    const record = (answer: Answer, given: readonly string[]) => this.#coverage.record(answer, given, 'fixture');
    await verifyFixtures(fixtures, this.#endpoint, { checks: this.#checks, record, signal });
  }

  get #signal(): Pick<VerifyOptions, 'signal'> {
    const { signal } = this.#options;
    return signal === undefined ? {} : { signal };
  }

  async #explainVariants(engine: Engine, base: Readonly<Record<string, ParameterValue>>): Promise<void> {
    const { file, query } = this.#endpoint;
    const place = { file, line: query.line, column: query.column };
    for (const { choices } of query.texts) {
      const find = () => explainVariant(engine, this.#endpoint, base, choices);
      const explain = (error: unknown) => explainError(this.#endpoint, error, 'no error', place);
      await this.#checks.add('variant', formatChoices(choices) || 'the only one', find, explain);
    }
  }

  async #tryExamples(run: Run): Promise<void> {
    const endpoint = this.#endpoint;
    for (const [index, example] of endpoint.definition.examples.entries()) {
      const path = ['examples', index];
      const find = async () => {
        const answer = await run(trialRequest(endpoint, example.params));
        return findRowsFailure(endpoint, path, example.rows, writePlainRows(endpoint, answer.rows));
      };
      const place = endpoint.problem(path, '');
      const explain = (error: unknown) => explainError(endpoint, error, 'no error', place);
      await this.#checks.add('example', example.name, find, explain);
    }
  }

  async #tryCases(base: Readonly<Record<string, ParameterValue>>, run: Run): Promise<void> {
    const endpoint = this.#endpoint;
    const now = this.#options.clock();
    const sqlOf = (raw: RawParameters) => endpoint.query.compile(endpoint.readParameters(raw), now).sql;
    for (const one of generateCases(endpoint, base)) {
      const isDeclared = Object.hasOwn(endpoint.definition.params, one.parameter);
      const place = placeOf(endpoint.problem(isDeclared ? ['params', one.parameter] : ['params'], '', { at: 'key' }));
      const find = async () => {
        const difference = await tryCase(one, run, (raw) => sqlOf(raw) === sqlOf(trialRequest(endpoint, base)));
        return difference && { ...difference, place };
      };
      await this.#checks.add('case', one.name, find, (error) =>
        explainError(endpoint, error, EXPECTED[one.expected], place),
      );
    }
  }

  /** Checks the cursors of each variant, and the total of the base request. */
  async #checkPages(base: Readonly<Record<string, ParameterValue>>, run: Run): Promise<void> {
    const endpoint = this.#endpoint;
    const place = placeOf(endpoint.problem(['pagination'], '', { at: 'key' }));
    const explain = (error: unknown) => explainError(endpoint, error, 'pages', place);
    for (const { choices } of endpoint.query.continuations) {
      const values = variantValues(endpoint, base, choices);
      if ('missing' in values) continue;
      const name = ['pages by cursor', formatChoices(choices)].filter((text) => text !== '').join(': ');
      await this.#checks.add('case', name, () => findPageDifference(endpoint, values.raw, run), explain);
    }
    if (endpoint.total === undefined) return;
    const raw = trialRequest(endpoint, base);
    await this.#checks.add('case', 'total', () => findTotalDifference(endpoint, raw, run), explain);
  }

  /** Checks the columns if a request was answered. If no request was answered, other failed checks contain the reason. */
  async #checkColumns(): Promise<void> {
    const [first] = this.#answers;
    if (first === undefined) return;
    for (const [index, column] of this.#endpoint.definition.columns.entries()) {
      const place = placeOf(this.#endpoint.problem(['columns', index], ''));
      const find = async () => {
        const cells = this.#answers.flatMap(({ rows }) => rows.map((row) => row[index] ?? null));
        const mismatch = findColumnMismatch(column, first.columns[index], cells);
        return mismatch && { ...mismatch, place };
      };
      await this.#checks.add('column', column.col, find, (error) => explainError(this.#endpoint, error, '', place));
    }
  }
}

/** Returns a problem if the base request is not valid, because every generated request would fail for the same reason. */
function findMissingValue(endpoint: Endpoint, base: Readonly<Record<string, ParameterValue>>): Problem | undefined {
  try {
    endpoint.readParameters(trialRequest(endpoint, base));
    return undefined;
  } catch (error) {
    const { parameters = [] } = error instanceof EngineError ? error.details : {};
    const message = `no valid request is known: ${reasonOf(error)}; add an example to the definition`;
    return endpoint.problem(['params', parameters[0]?.parameter ?? ''], message, { at: 'key' });
  }
}

type Run = (raw: RawParameters) => Promise<Answer>;

/** The expected results of generated requests, for messages. */
const EXPECTED: Readonly<Record<Case['expected'], string>> = {
  answer: 'an answer',
  bad_parameter: 'the error bad_parameter',
  safe: 'an answer or the error bad_parameter',
};

/** Sends a generated request. Returns the difference between the expected and the actual result. */
async function tryCase(
  { raw, expected, parameter }: Case,
  run: Run,
  hasSameSql: (raw: RawParameters) => boolean,
): Promise<Failure | undefined> {
  try {
    await run(raw);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'bad_parameter') throw error;
    if (expected === 'answer') return { expected: EXPECTED.answer, got: error.message };
    const named = error.details.parameters?.map((one) => one.parameter) ?? [];
    return named.includes(parameter) ? undefined : { expected: `an error naming ${parameter}`, got: error.message };
  }
  if (expected === 'bad_parameter') return { expected: EXPECTED.bad_parameter, got: 'an answer' };
  const isSafe = expected === 'answer' || hasSameSql(raw);
  return isSafe ? undefined : { expected: 'the SQL of the base request', got: 'another SQL text' };
}

/** Checks that the database can plan the variant with these choices. `base` has the values of the other parameters. */
async function explainVariant(
  engine: Engine,
  endpoint: Endpoint,
  base: Readonly<Record<string, ParameterValue>>,
  choices: Readonly<Record<string, ParameterValue | null>>,
): Promise<Failure | undefined> {
  const values = variantValues(endpoint, base, choices);
  if ('missing' in values) {
    const place = placeOf(endpoint.problem(['params', values.missing], '', { at: 'key' }));
    return { expected: `an example of ${values.missing}`, got: 'none', place };
  }
  const plan = await engine.explain(endpoint, values.raw);
  return plan.rows.length > 0 ? undefined : { expected: 'a plan', got: 'nothing' };
}

/** Compares a declared column with the column and the cells that the database returned. Returns undefined if they match. */
export function findColumnMismatch(
  { col, data_type, nullable }: ColumnDefinition,
  got: ResultColumn | undefined,
  cells: readonly Cell[],
): { expected: string; got: string } | undefined {
  if (got === undefined || !isSameName(got.name, col))
    return { expected: `column ${col}`, got: got?.name ?? 'no column' };
  if (!canRepresent(data_type, got.type) && !areIntegers(data_type, got.type, cells))
    return { expected: data_type, got: got.type };
  if (!nullable && cells.includes(null)) return { expected: 'no NULL', got: 'NULL' };
  return undefined;
}

/** Whether whole numbers are declared, and the database returned them as a DECIMAL without a fraction, such as `CEIL(x)` on DuckDB. */
function areIntegers(declared: string, got: string, cells: readonly Cell[]): boolean {
  const known = cells.filter((cell) => cell !== null);
  if (FAMILY[declared] !== 'integer' || FAMILY[got] !== 'decimal' || known.length === 0) return false;
  return known.every((cell) => /^-?\d+$/.test(String(cell)));
}

/** Whether the declared type can represent the values of a database type. */
function canRepresent(declared: string, got: string): boolean {
  if (declared === got) return true;
  const [to, from] = [FAMILY[declared] ?? 'text', FAMILY[got] ?? 'text'];
  return to === from || WIDER[to]?.includes(from) === true;
}

type Family = 'integer' | 'decimal' | 'float' | 'text' | 'binary' | 'date' | 'datetime' | 'time';

const FAMILY: Readonly<Record<string, Family>> = {
  TINYINT: 'integer',
  SMALLINT: 'integer',
  MEDIUMINT: 'integer',
  INT: 'integer',
  BIGINT: 'integer',
  'UNSIGNED BIGINT': 'integer',
  YEAR: 'integer',
  BIT: 'integer',
  DECIMAL: 'decimal',
  DOUBLE: 'float',
  FLOAT: 'float',
  DATE: 'date',
  DATETIME: 'datetime',
  TIMESTAMP: 'datetime',
  TIME: 'time',
  BINARY: 'binary',
  VARBINARY: 'binary',
  TINYBLOB: 'binary',
  BLOB: 'binary',
  MEDIUMBLOB: 'binary',
  LONGBLOB: 'binary',
};

const WIDER: Partial<Record<Family, readonly Family[]>> = {
  decimal: ['integer'],
  float: ['decimal', 'integer'],
  datetime: ['date'],
};

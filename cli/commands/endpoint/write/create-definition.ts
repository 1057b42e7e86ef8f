import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import {
  type AuthorText,
  type Database,
  type Endpoint,
  formatProblem,
  maskClock,
  type ProposedDefinition,
  proposeFromSelect,
  readDefinitionText,
  type TableMeanings,
  type TakenNames,
  type Verification,
  writeDefinitionText,
} from '../../../../engine/index.js';
import { PACKAGE_ROOT } from '../../../../http/package-root.js';
import { makeFolder } from '../../../../server/make-folder.js';
import { ownFolder } from '../../../../server/settings/definition-folders.js';
import { readTableMeanings } from '../../../../warehouse/meanings/table-meanings.js';
import { PRIVATE_DATA } from '../../../../warehouse/rules/private-data.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import { replaceFile } from '../replace-file.js';
import { shortPath } from '../short-path.js';
import { findRejection, verifyAlone } from '../verify/verify-alone.js';
import { findTestedWarnings } from '../verify/warnings.js';
import { withDatabase } from '../with-engine.js';
import { readAuthorText } from './author-input.js';
import { describeQuery } from './describe-query.js';
import { type NewOptions, readChoices } from './new-options.js';
import { type Created, printCreated } from './print-created.js';
import { readTakenNames, requireFree } from './taken-names.js';

/** Writes a definition from a SELECT or a table, and prints the results of its check and its test. */
export async function createDefinition(context: CommandContext, options: NewOptions): Promise<void> {
  const created = await withDatabase(context, options.databaseUrl, (database) => create(context, options, database));
  printCreated(context, created, options);
  context.exitCode = created.verification.ok ? 0 : 1;
}

async function create(context: CommandContext, options: NewOptions, database: Database): Promise<Created> {
  const { settings, cwd, signal } = context;
  const tables = await readTableMeanings(database, signal);
  const author = await readAuthorText(context, options, tables);
  const chosen = options.out === undefined ? undefined : resolve(cwd, options.out);
  const taken = await readTakenNames(settings, chosen);
  requireFree(options, taken);
  const proposed = await propose(author, { database, tables, taken, options, signal });
  const file = chosen ?? join(ownFolder(settings), `${proposed.name}.yaml`);
  if (!/\.ya?ml$/i.test(file) || /\.shared\.ya?ml$/i.test(file))
    throw new Error(`--out: expected a file name that ends with .yaml, got ${shortPath(cwd, file)}.`);
  if (existsSync(file) && options.force !== true && options.dryRun !== true)
    throw new Error(`${shortPath(cwd, file)} exists already: use another --name or --out, or --force to overwrite it.`);
  const text = await writeDefinitionText(proposed.definition, schemaFor(file));
  const endpoint = await requireValid(shortPath(cwd, file), text);
  const verification = await verify(context, endpoint, database);
  const warnings = await findTestedWarnings(context, database, { endpoint, verification });
  if (options.dryRun !== true) {
    await makeFolder(dirname(file), options.out === undefined ? 'ENDPOINTS_DIR' : '--out');
    await replaceFile(file, text);
  }
  return { file: shortPath(cwd, file), text, notes: proposed.notes, endpoint, verification, warnings };
}

interface Proposing {
  readonly database: Database;
  readonly tables: TableMeanings;
  readonly taken: TakenNames;
  readonly options: NewOptions;
  readonly signal: AbortSignal;
}

function propose(author: AuthorText, parts: Proposing): Promise<ProposedDefinition> {
  const { database, tables, taken, options, signal } = parts;
  const { name, path, summary } = options;
  return proposeFromSelect(author, {
    tables,
    taken,
    choices: readChoices(options),
    prefix: '/v1',
    privateData: PRIVATE_DATA,
    describe: (sql, { tables: read, problem }) =>
      describeQuery(database, maskClock(sql), { read, tables, limits: { timeoutMs: DESCRIBE_MS, signal }, problem }),
    ...(name !== undefined && { name }),
    ...(path !== undefined && { path }),
    ...(summary !== undefined && { summary }),
  });
}

const DESCRIBE_MS = 30_000;

/** Returns the path of the JSON Schema from the folder of a file inside this package; undefined for other files. */
function schemaFor(file: string): string | undefined {
  if (!file.startsWith(PACKAGE_ROOT)) return undefined;
  return relative(dirname(file), `${PACKAGE_ROOT}schemas/endpoint.schema.json`).split(sep).join('/');
}

/** Checks the text of the definition. Its problems come from the options: name, path and names of parameters. */
async function requireValid(file: string, text: string): Promise<Endpoint> {
  const read = await readDefinitionText(file, text, PRIVATE_DATA);
  if ('problems' in read)
    throw new Error(`The definition would be invalid:\n${read.problems.map(formatProblem).join('\n')}`);
  return read.endpoint;
}

async function verify(context: CommandContext, endpoint: Endpoint, database: Database): Promise<Verification> {
  const [problem] = findRejection(endpoint, database)?.problems ?? [];
  if (problem !== undefined) throw new Error(formatProblem(problem));
  return verifyAlone(context, endpoint, database);
}

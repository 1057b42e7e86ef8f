import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Contract, contractOf } from '../../../../engine/http/contract/contract.js';
import { readContracts } from '../../../../engine/http/contract/read-contracts.js';
import { DefinitionsError, type Endpoint, formatProblem, type LoadedEndpoints } from '../../../../engine/index.js';
import { describeOperations } from '../../../../server/describe-operations.js';
import { createDefinitionLoader, loadDefinitions, loadNamedFiles } from '../../../../server/settings/definitions.js';
import { hidePassword } from '../../../../server/settings/read-settings.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import { readGitDefinitions } from './git-definitions.js';

/** The two states of the definitions that `endpoint diff` compares. */
export interface States {
  /** A description of the source of the earlier state, such as `folder old/`. */
  readonly from: string;
  readonly before: readonly Contract[];
  readonly after: readonly Contract[];
  /** Notes about parts that the comparison does not include. */
  readonly notes: readonly string[];
}

/**
 * Reads the current definitions, and an earlier state. The source of the earlier state is tried in this order: a URL, a file, a folder, a
 * git revision.
 */
export async function readStates(
  { settings, environment, cwd, signal }: CommandContext,
  source: string,
): Promise<States> {
  const current = await loadDefinitions(settings);
  if (/^https?:\/\//i.test(source)) {
    return describedStates(
      `URL ${hidePassword(source)}`,
      await downloadDocument(source, signal),
      current,
      settings.api,
    );
  }
  const path = resolve(cwd, source);
  const entry = await stat(path).catch(() => undefined);
  if (entry?.isFile()) {
    const document = await readDocumentFile(path);
    if (document !== undefined) return describedStates(`OpenAPI document ${source}`, document, current, settings.api);
    return fileStates(source, await loadNamedFiles(settings, [path]), current);
  }
  if (entry?.isDirectory()) {
    const loaded = await createDefinitionLoader(settings, [path]).load();
    if (loaded.folders.length > 0) throw new DefinitionsError(loaded.folders);
    return definedStates(`folder ${source}`, loaded, current, []);
  }
  const { loaded, commits, notes } = await readGitDefinitions(source, settings, { environment, signal });
  return definedStates(`git ${source} (${commits.join(', ')})`, loaded, current, notes);
}

/**
 * Compares two API descriptions. The current state is also converted to a description, so that everything that descriptions do not contain
 * counts as equal.
 */
function describedStates(
  from: string,
  document: unknown,
  current: readonly Endpoint[],
  api: CommandContext['settings']['api'],
): States {
  const documents = describeOperations(current, { api });
  return {
    from,
    before: readContracts(document),
    after: readContracts(JSON.parse(JSON.stringify(documents.openApi()))),
    notes: [UNDESCRIBED],
  };
}

const UNDESCRIBED =
  'an OpenAPI document does not contain SQL, exact data types, limits, notices, questions, tags and examples: ' +
  'changes of these are not found. Compare with a git revision or a folder to find them';

function definedStates(
  from: string,
  { endpoints, broken }: LoadedEndpoints,
  current: readonly Endpoint[],
  notes: readonly string[],
): States {
  const problems = broken.flatMap((one) => one.problems);
  if (endpoints.length === 0 && broken.length > 0) throw new DefinitionsError(problems);
  const ignored = problems.map(
    (problem) => `an earlier definition is broken and counts as absent: ${formatProblem(problem)}`,
  );
  return {
    from,
    before: endpoints.map(contractOf),
    after: current.map(contractOf),
    notes: [...notes, ...ignored],
  };
}

/** Compares one file with the current definition that has the same name or path. */
function fileStates(source: string, loaded: LoadedEndpoints, current: readonly Endpoint[]): States {
  const [endpoint] = loaded.endpoints;
  if (endpoint === undefined) {
    if (loaded.problems.length > 0) throw new DefinitionsError(loaded.problems);
    throw new Error(`${source} is not a definition`);
  }
  const { name, path } = endpoint.definition;
  const sameName = current.filter(({ definition }) => definition.name === name);
  const samePath = current.filter(({ definition }) => path !== undefined && definition.path === path);
  const same = sameName.length > 0 ? sameName : samePath;
  return {
    from: `file ${source}`,
    before: [contractOf(endpoint)],
    after: same.map(contractOf),
    notes: [],
  };
}

/** Downloads a JSON document. Throws if it is too large or does not arrive in time. */
async function downloadDocument(url: string, signal: AbortSignal): Promise<unknown> {
  const shown = hidePassword(url) ?? url;
  if (!URL.canParse(url)) throw new Error(`${shown} is not a URL`);
  const { username, password } = new URL(url);
  if (username !== '' || password !== '')
    throw new Error(`${shown} cannot be read: a URL with a password is not supported`);
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  let response: Response;
  try {
    response = await fetch(url, { signal: limited, headers: { accept: 'application/json' } });
  } catch (error) {
    throw new Error(`${shown} cannot be read: ${reasonOf(error)}`);
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${shown} cannot be read: expected status 200, got ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new Error(TOO_LARGE);
      chunks.push(chunk);
    }
  } catch (error) {
    throw new Error(`${shown} cannot be read: ${reasonOf(error)}`);
  }
  return parseDocument(Buffer.concat(chunks).toString(), shown);
}

/** Reads a JSON document from a file. Undefined if it is not an OpenAPI document and therefore probably a definition. */
async function readDocumentFile(file: string): Promise<unknown> {
  if (!file.endsWith('.json')) return undefined;
  if ((await stat(file)).size > MAX_BYTES) throw new Error(`${file} cannot be read: ${TOO_LARGE}`);
  const text = await readFile(file, 'utf8');
  return /"openapi"\s*:/.test(text) ? parseDocument(text, file) : undefined;
}

/** The maximum size of a document. The description of 1,000 endpoints has about 10 MB. */
const MAX_BYTES = 64 * 1024 * 1024;
const TOO_LARGE = `the document is too large: expected at most ${MAX_BYTES / 1024 / 1024} MB`;
const TIMEOUT_MS = 30_000;

function parseDocument(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${source} is not JSON: expected the openapi.json of a service`);
  }
}

/** Returns the reason of a network error. `fetch` reports it as the cause of its error. */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === 'TimeoutError') return `no complete answer within ${TIMEOUT_MS / 1000} s`;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}

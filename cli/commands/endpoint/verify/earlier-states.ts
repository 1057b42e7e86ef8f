import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Contract, contractOf } from '../../../../engine/http/contract/contract.js';
import { readContracts } from '../../../../engine/http/contract/read-contracts.js';
import { DefinitionLoader, type Endpoint, formatProblem, type LoadedEndpoints } from '../../../../engine/index.js';
import { DefinitionsError, loadDefinitions, loadNamedFiles } from '../../../../server/definitions.js';
import { describeOperations } from '../../../../server/describe-operations.js';
import { definitionFolders } from '../../../../server/settings/definition-folders.js';
import { hidePassword } from '../../../../server/settings/read-settings.js';
import { PRIVATE_DATA } from '../../../../warehouse/rules/private-data.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import { readGitDefinitions } from './git-definitions.js';
import { downloadDocument, readDocumentFile } from './openapi-document.js';

/** The two states of the definitions that `endpoint diff` compares. */
export interface States {
  /** The kind of the source, and the source itself: `folder old/`. */
  readonly from: string;
  readonly before: readonly Contract[];
  readonly after: readonly Contract[];
  /** What the comparison does not contain. */
  readonly notes: readonly string[];
}

/** Reads the definitions now, and an earlier state from a URL, a file, a folder or a git revision, in this order. */
export async function readStates(
  { settings, environment, cwd, signal }: CommandContext,
  source: string,
): Promise<States> {
  const current = await loadDefinitions(settings);
  if (/^https?:\/\//i.test(source)) {
    return describedStates(`URL ${hidePassword(source)}`, await downloadDocument(source, signal), current);
  }
  const path = resolve(cwd, source);
  const entry = await stat(path).catch(() => undefined);
  if (entry?.isFile()) {
    const document = await readDocumentFile(path);
    if (document !== undefined) return describedStates(`OpenAPI document ${source}`, document, current);
    return fileStates(source, await loadNamedFiles(settings, [path]), current);
  }
  if (entry?.isDirectory()) {
    const loaded = await new DefinitionLoader([path], PRIVATE_DATA).load();
    if (loaded.folders.length > 0) throw new DefinitionsError(loaded.folders);
    return definedStates(`folder ${source}`, loaded, current, []);
  }
  const { loaded, commits, notes } = await readGitDefinitions(source, definitionFolders(settings), {
    environment,
    signal,
  });
  return definedStates(`git ${source} (${commits.join(', ')})`, loaded, current, notes);
}

/** Both states are read from descriptions, so that everything that descriptions do not contain is equal. */
function describedStates(from: string, document: unknown, current: readonly Endpoint[]): States {
  const documents = describeOperations(current);
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

/** Compares one file with the definition that now has its name or its path. */
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

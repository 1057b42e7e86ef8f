import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Database, type Endpoint, loadEndpoints } from '../../../engine/index.js';
import type { DefinitionProposal, QuestionContext } from '../../../explorer/answers/proposal.js';
import { type Catalogue, createCatalogue } from '../../../explorer/catalogue/catalogue.js';
import type { Vocabulary } from '../../../explorer/catalogue/language/vocabulary.js';
import { QuestionError } from '../../../explorer/questions/error-types.js';
import { openWarehouse } from '../../../server/databases/open-database.js';
import { readSettings } from '../../../server/settings/read-settings.js';
import { readVocabulary } from '../../../server/settings/read-vocabulary.js';
import { copyDemo, NOW } from '../../service/demo-data.js';

const ENDPOINTS = fileURLToPath(new URL('../../../../endpoints', import.meta.url));

/** The catalogue of all definitions, on demo data. */
export interface DemoCatalogue {
  readonly catalogue: Catalogue;
  readonly endpoints: readonly Endpoint[];
  readonly database: Database;
  readonly vocabulary: Vocabulary;
  /** The most starred repository, as `owner/name`. */
  readonly repository: string;
  /** The repository with the next most stars. */
  readonly other: string;
  /** A person. */
  readonly login: string;
  /** The first public collection. */
  readonly collection: { readonly id: string; readonly name: string };
  propose(question: string, context?: QuestionContext): Promise<DefinitionProposal>;
  /** Returns the error for a question that the catalogue does not answer. */
  decline(question: string): Promise<QuestionError>;
  close(): Promise<void>;
}

/** Opens the catalogue for the calling suite. */
export function useCatalogue(environment: () => Readonly<Record<string, string>>): () => DemoCatalogue {
  let demo: DemoCatalogue | undefined;
  before(async () => {
    demo = await openDemoCatalogue(environment());
  });
  after(() => demo?.close());
  return () => {
    if (demo === undefined) throw new Error('The catalogue is available in tests and hooks only.');
    return demo;
  };
}

export async function openDemoCatalogue(environment: Readonly<Record<string, string>>): Promise<DemoCatalogue> {
  const folder = await mkdtemp(join(tmpdir(), 'catalogue-'));
  const settings = readSettings({ DATA_DIR: folder, NOW, ...environment });
  await copyDemo(settings, { events: 6_000 });
  const warehouse = await openWarehouse(settings, { migrating: true });
  const { database } = warehouse;
  const { endpoints } = await loadEndpoints(ENDPOINTS);
  const vocabulary = await readVocabulary(settings);
  const catalogue = createCatalogue({ endpoints, database, vocabulary });
  const options = { now: new Date(NOW), signal: new AbortController().signal };
  const mostStarred = database.prepare('SELECT repo_name FROM github_repos ORDER BY stars DESC, repo_name LIMIT 2');
  const { rows } = await database.query(mostStarred, [], { maxRows: 2, timeoutMs: 5_000 });
  const person = database.prepare("SELECT login FROM github_users WHERE id > 0 AND type = 'User' ORDER BY id LIMIT 1");
  const [login] = (await database.query(person, [], { maxRows: 1, timeoutMs: 5_000 })).rows;
  const first = database.prepare('SELECT id, name FROM collections WHERE public = 1 ORDER BY id LIMIT 1');
  const [collection] = (await database.query(first, [], { maxRows: 1, timeoutMs: 5_000 })).rows;
  const propose: DemoCatalogue['propose'] = (question, context) =>
    catalogue.propose(question, { ...options, ...(context && { context }) });
  return {
    catalogue,
    endpoints,
    database,
    vocabulary,
    repository: String(rows[0]?.[0]),
    other: String(rows[1]?.[0]),
    login: String(login?.[0]),
    collection: { id: String(collection?.[0]), name: String(collection?.[1]) },
    propose,
    decline: async (question) => {
      const result = await propose(question).catch((error: unknown) => error);
      if (result instanceof QuestionError) return result;
      throw new Error(`"${question}" has no QuestionError: ${JSON.stringify(result)} ${String(result)}`);
    },
    close: async () => {
      await warehouse.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

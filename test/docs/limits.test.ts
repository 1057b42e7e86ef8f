import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { SETTINGS } from '../../server/settings/settings.js';
import { ROOT, readDocument } from './documents.js';

/** A sentence of a document, with `{}` in the position of a limit. The limit in the code is divided by the unit of the sentence. */
type Sentence = readonly [document: string, sentence: string, limit: () => number, unit?: number];

const SOURCES = ['engine', 'warehouse', 'github', 'accounts', 'explorer', 'app-routes', 'server']
  .flatMap((folder) =>
    readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => file.endsWith('.ts'));

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const MEBIBYTE = 1024 * 1024;

const SENTENCES: readonly Sentence[] = [
  ['docs/api.md', 'from one address | {} per hour', setting('RATE_LIMIT_PER_HOUR')],
  ['docs/api.md', 'from all addresses | {} per minute', setting('RATE_LIMIT_PER_MINUTE')],
  ['docs/api.md', 'playground queries from one address | {} per minute', setting('PLAYGROUND_PER_MINUTE')],
  ['docs/api.md', 'each {} characters of SQL', constant('guard-sql', 'MAX_SQL_LENGTH')],
  ['docs/api.md', '{} rows and 10 seconds', constant('guard-sql', 'MAX_ROWS')],
  ['docs/api.md', '100 rows and {} seconds', setting('PLAYGROUND_SECONDS')],
  ['docs/api.md', 'token | {} characters', constant('bearer-tokens', 'MAX_LENGTH')],
  ['docs/api.md', 'subscriptions of a user | {} |', constant('subscriptions', 'MAX_SUBSCRIPTIONS')],
  ['docs/api.md', 'sessions of a user | {};', constant('sessions', 'MAX_SESSIONS')],
  ['docs/api.md', 'at most {} characters) is the page that the browser opens', constant('sign-in', 'MAX_RETURN_TO')],
  ['docs/errors.md', 'already has {} subscriptions', constant('subscriptions', 'MAX_SUBSCRIPTIONS')],
  ['docs/importing.md', 'a range has at most {} days', constant('sources', 'MAX_HOURS'), 24],
  ['docs/importing.md', 'chunks of {} MB', constant('chunks', 'CHUNK_BYTES'), MEBIBYTE],
  ['docs/importing.md', 'A line can have {} MB', constant('event-columns', 'MAX_LINE_BYTES'), MEBIBYTE],
  ['docs/lookups.md', 'After {} failures in a row', constant('github-cache', 'FAILURES_TO_BREAK')],
  ['docs/lookups.md', 'requests to GitHub for {} seconds', constant('github-cache', 'BREAK_MS'), SECOND],
  ['docs/lookups.md', 'At most {} requests to GitHub', constant('github-cache', 'MAX_CONCURRENT_CALLS')],
  ['docs/lookups.md', 'at most {} redirects', constant('github-client', 'MAX_REDIRECTS')],
  ['docs/lookups.md', 'the {} best repositories', constant('search', 'MAX_FOUND')],
  ['docs/operations.md', 'More than {} requests wait for one endpoint', constant('query-runner', 'MAX_QUEUED')],
  ['docs/operations.md', 'After {} failures in a row', constant('query-runner', 'MAX_FAILURES')],
  ['docs/operations.md', 'at most {} texts per endpoint', constant('look-up', 'MAX_LOOKED_UP_TEXTS')],
  ['docs/operations.md', 'for at most {} seconds. Endpoints', constant('watch-endpoints', 'WITHIN_MS'), SECOND],
  ['docs/database-servers.md', 'fails at {} MB', constant('failures', 'MAX_RESULT_BYTES'), MEBIBYTE],
  ['docs/playground.md', '{} tables, 100 columns', constant('write-public-query', 'MAX_SOURCES')],
  ['docs/playground.md', '40 tables, {} columns', constant('write-query', 'MAX_COLUMNS')],
  ['docs/playground.md', 'grow beyond {} characters', constant('text-growth', 'MAX_TEXT_LENGTH')],
  ['docs/playground.md', 'the process {} s later', constant('isolated-database', 'GRACE_MS'), SECOND],
  ['docs/users.md', 'rejected after at most {} minutes', constant('published-keys', 'CACHE_MS'), MINUTE],
  ['docs/users.md', 'no answer within {} seconds', constant('published-keys', 'TIMEOUT_MS'), SECOND],
  ['docs/users.md', 'more than {} seconds for an answer', constant('sign-in-provider', 'REQUEST_TIMEOUT_SECONDS')],
  ['docs/users.md', 'valid for {} minutes, in the browser', constant('pending-sign-in', 'MINUTES')],
  ['docs/users.md', 'at most {} per user; a new one ends the oldest', constant('sessions', 'MAX_SESSIONS')],
  ['docs/operations.md', 'at most {} addresses', constant('limiter', 'MAX_KEYS')],
  ['docs/operations.md', 'at most {} answers with 16 MB', constant('shadow', 'MAX_WAITING')],
  ['docs/operations.md', 'at most {} times per minute each', constant('shadow', 'LINES_PER_MINUTE')],
  ['docs/writing-endpoints.md', '| `rows` | {} |', constant('normalize-definition', 'DEFAULT_ROWS')],
  [
    'docs/writing-endpoints.md',
    '| `timeout` | `{}s` |',
    constant('normalize-definition', 'DEFAULT_TIMEOUT_MS'),
    SECOND,
  ],
  ['docs/writing-endpoints.md', 'up to `{}m`', constant('endpoint-check', 'MAX_TIMEOUT_MS'), MINUTE],
  ['docs/writing-endpoints.md', 'at most {} variants', constant('template-variants', 'MAX_VARIANTS')],
  ['docs/writing-endpoints.md', '1 to {} characters by default', constant('parameter-values', 'DEFAULT_MAX_LENGTH')],
  [
    'docs/writing-endpoints.md',
    'the results are reused for {} seconds',
    constant('request-metadata', 'REUSE_MS'),
    SECOND,
  ],
  ['docs/writing-endpoints.md', 'up to `{}h`', constant('endpoint-check', 'MAX_STORED_MS'), 3600 * SECOND],
  [
    'docs/writing-endpoints.md',
    'a time limit of {} seconds',
    constant('request-metadata', 'METADATA_TIMEOUT_MS'),
    SECOND,
  ],
];

describe('limits in the documents', () => {
  for (const [document, sentence, limit, unit = 1] of SENTENCES) {
    it(`are those of the code: ${document}: ${sentence}`, () => {
      const text = readDocument(document).replace(/\s+/g, ' ').toLowerCase();
      const expected = spellingsOf(limit() / unit).map((number) => sentence.replace('{}', number).toLowerCase());
      expect(
        expected.filter((words) => text.includes(words)),
        `${document} has none of: ${expected.join('; ')}`,
      ).to.not.deep.equal([]);
    });
  }
});

/** Returns the spellings of a number: `1000`, `1,000`, and the word for a small number. */
function spellingsOf(limit: number): string[] {
  const words = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
  return [...new Set([String(limit), limit.toLocaleString('en-US'), ...words.slice(limit, limit + 1)])];
}

/** Returns a function that returns the default of a setting. */
function setting(name: string): () => number {
  return () => {
    const found = Object.values(SETTINGS).find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(`there is no setting ${name}: update this test and the document`);
    return Number(found.defaultText);
  };
}

/**
 * Returns a function that returns the value of a constant, which must be a number or a product of numbers. Only one source file may have
 * the name `file`.
 */
function constant(file: string, name: string): () => number {
  const declaration = new RegExp(`^(?:export )?const ${name} = ([\\d_.* ]+);`, 'm');
  return () => {
    const values = SOURCES.filter((source) => source.endsWith(`/${file}.ts`)).flatMap(
      (source) => declaration.exec(readFileSync(ROOT + source, 'utf8'))?.[1] ?? [],
    );
    const [value = '', ...others] = values;
    if (value === '' || others.length > 0) {
      throw new Error(
        `expected one constant ${name} in files named ${file}.ts, found ${values.length}: update this test`,
      );
    }
    return product(value);
  };
}

function product(expression: string): number {
  const factors = expression.replaceAll('_', '').split('*');
  return factors.reduce((result, factor) => result * Number(factor), 1);
}

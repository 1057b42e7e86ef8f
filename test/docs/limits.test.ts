import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { SETTINGS } from '../../server/settings/settings.js';
import { ROOT, readDocument } from './documents.js';

/** A sentence of a document with a limit, `{}` where its number is. */
type Sentence = readonly [document: string, sentence: string, limit: number];

const SOURCES = [
  'sql',
  'engine',
  'databases',
  'warehouse',
  'github',
  'accounts',
  'explorer',
  'http',
  'app-routes',
  'server',
]
  .flatMap((folder) =>
    readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => file.endsWith('.ts'));

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const MEBIBYTE = 1024 * 1024;

const SENTENCES: readonly Sentence[] = [
  ['docs/api.md', 'from one address | {} per hour', settingOf('RATE_LIMIT_PER_HOUR')],
  ['docs/api.md', 'from all addresses | {} per minute', settingOf('RATE_LIMIT_PER_MINUTE')],
  ['docs/api.md', 'playground queries from one address | {} per minute', settingOf('PLAYGROUND_PER_MINUTE')],
  ['docs/api.md', 'each {} characters of SQL', constantOf('guard-sql', 'MAX_SQL_LENGTH')],
  ['docs/api.md', '{} rows and 10 seconds', constantOf('guard-sql', 'MAX_ROWS')],
  ['docs/api.md', '100 rows and {} seconds', constantOf('playground', 'TIMEOUT_MS') / SECOND],
  ['docs/api.md', 'token | {} characters', constantOf('tokens', 'MAX_LENGTH')],
  ['docs/api.md', 'subscriptions of a user | {} |', constantOf('subscriptions', 'MAX_SUBSCRIPTIONS')],
  ['docs/api.md', 'sessions of a user | {};', constantOf('sessions', 'MAX_SESSIONS')],
  ['docs/api.md', 'at most {} characters) is the page after it', constantOf('sign-in', 'MAX_RETURN_TO')],
  ['docs/errors.md', 'already has {} subscriptions', constantOf('subscriptions', 'MAX_SUBSCRIPTIONS')],
  ['docs/importing.md', 'a range has at most {} days', constantOf('sources', 'MAX_HOURS') / 24],
  ['docs/importing.md', 'chunks of {} MB', constantOf('chunks', 'CHUNK_BYTES') / MEBIBYTE],
  ['docs/importing.md', 'A line can have {} MB', constantOf('event-columns', 'MAX_LINE_BYTES') / MEBIBYTE],
  ['docs/lookups.md', 'After {} failures in a row', constantOf('github-cache', 'FAILURES')],
  ['docs/lookups.md', 'requests to GitHub for {} seconds', constantOf('github-cache', 'ASK_AGAIN_MS') / SECOND],
  ['docs/lookups.md', 'At most {} requests to GitHub', constantOf('github-cache', 'CALLS_AT_A_TIME')],
  ['docs/lookups.md', 'at most {} redirects', constantOf('follow-redirects', 'MAX_REDIRECTS')],
  ['docs/lookups.md', 'the {} best repositories', constantOf('search', 'MAX_FOUND')],
  ['docs/operations.md', 'More than {} requests wait for one endpoint', constantOf('query-runner', 'MAX_WAITING')],
  ['docs/operations.md', 'After {} failures in a row', constantOf('query-runner', 'FAILURES')],
  ['docs/operations.md', 'at most {} texts per endpoint', constantOf('look-up', 'MAX_LOOKED_UP')],
  ['docs/operations.md', 'for at most {} seconds. Endpoints', constantOf('watch-endpoints', 'WITHIN_MS') / SECOND],
  ['docs/operations.md', 'fails at {} MB', constantOf('failures', 'MAX_RESULT_BYTES') / MEBIBYTE],
  ['docs/operations.md', '{} tables, 100 columns', constantOf('write-tables', 'MAX_SOURCES')],
  ['docs/operations.md', '16 tables, {} columns', constantOf('write-query', 'MAX_COLUMNS')],
  ['docs/operations.md', 'grow beyond {} characters', constantOf('text-growth', 'MAX_TEXT')],
  ['docs/operations.md', 'the process {} s later', constantOf('isolated-reader', 'GRACE_MS') / SECOND],
  ['docs/operations.md', 'rejected after at most {} minutes', constantOf('published-keys', 'KEPT_MS') / MINUTE],
  ['docs/operations.md', 'no answer within {} seconds', constantOf('published-keys', 'TIMEOUT_MS') / SECOND],
  ['docs/operations.md', 'more than {} seconds for an answer', constantOf('provider-fetch', 'ANSWER_SECONDS')],
  ['docs/operations.md', 'valid for {} minutes, in the browser', constantOf('pending-sign-in', 'MINUTES')],
  ['docs/operations.md', 'at most {} per user; a new one ends the oldest', constantOf('sessions', 'MAX_SESSIONS')],
  ['docs/operations.md', 'at most {} addresses', constantOf('limiter', 'MAX_KEYS')],
  ['docs/operations.md', 'at most {} answers with 16 MB', constantOf('shadow', 'MAX_WAITING')],
  ['docs/operations.md', 'at most {} times per minute each', constantOf('shadow', 'LINES_A_MINUTE')],
  ['docs/writing-endpoints.md', '| `rows` | {} |', constantOf('endpoint-check', 'DEFAULT_ROWS')],
  ['docs/writing-endpoints.md', '| `timeout` | `{}s` |', constantOf('endpoint-check', 'DEFAULT_TIMEOUT_MS') / SECOND],
  ['docs/writing-endpoints.md', 'up to `{}m`', constantOf('endpoint-check', 'MAX_TIMEOUT_MS') / MINUTE],
  ['docs/writing-endpoints.md', 'at most {} variants', constantOf('template-variants', 'MAX_VARIANTS')],
  ['docs/writing-endpoints.md', '1 to {} characters by default', constantOf('parameter-schema', 'DEFAULT_MAX_LENGTH')],
  ['docs/writing-endpoints.md', 'at most once in {} seconds', constantOf('metadata-queries', 'MEMO_MS') / SECOND],
  ['docs/writing-endpoints.md', 'a time limit of {} seconds', constantOf('engine', 'SIDE_TIMEOUT_MS') / SECOND],
];

describe('limits in the documents', () => {
  for (const [document, sentence, limit] of SENTENCES) {
    it(`are those of the code: ${sentence.replace('{}', String(limit))} (${document})`, () => {
      const text = readDocument(document).replace(/\s+/g, ' ').toLowerCase();
      expect(spellingsOf(limit).some((number) => text.includes(sentence.replace('{}', number).toLowerCase()))).to.equal(
        true,
      );
    });
  }
});

/** `1000`, `1,000`, and the word of a small number. */
function spellingsOf(limit: number): string[] {
  const words = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
  return [String(limit), limit.toLocaleString('en-US'), ...words.slice(limit, limit + 1)];
}

/** The default of a setting. */
function settingOf(name: string): number {
  const setting = Object.values(SETTINGS).find((candidate) => candidate.name === name);
  return Number(setting?.defaultText);
}

/** A constant that is a number or a product of numbers, of the one source file of that name. */
function constantOf(file: string, name: string): number {
  const declaration = new RegExp(`^(?:export )?const ${name} = ([\\d_.* ]+);`, 'm');
  const values = SOURCES.filter((source) => source.endsWith(`/${file}.ts`)).flatMap(
    (source) => declaration.exec(readFileSync(ROOT + source, 'utf8'))?.[1] ?? [],
  );
  const [value = 'NaN'] = values;
  return values.length === 1 ? product(value) : Number.NaN;
}

function product(expression: string): number {
  return expression
    .replaceAll('_', '')
    .split('*')
    .reduce((result, factor) => result * Number(factor), 1);
}

import { expect } from 'chai';
import { EngineError } from '../../../engine/index.js';
import { createCatalogue } from '../../../explorer/catalogue/catalogue.js';
import { MAX_QUESTION_LENGTH } from '../../../explorer/questions/question-text.js';
import { NOW } from '../../service/demo-data.js';
import { onServer } from '../../services/mysql.js';
import { describeEmbedded } from '../../services/server.js';
import { type DemoCatalogue, useCatalogue } from './demo-catalogue.js';
import { HOSTILE_TEXTS } from './hostile-texts.js';

/** Questions that look similar to questions that can be answered. `REPO` is replaced by a repository. */
const UNANSWERED = [
  'who merged the most pull requests in REPO',
  'who closed the most issues in REPO',
  'median time to close an issue in REPO',
  'who opened the most issues in REPO in 2025',
  'who opened the latest issue in REPO',
  'who opened 5 issues in REPO',
  'who opened no issues in REPO',
  'who will open the most issues in REPO',
  'how many people opened issues in REPO',
  'how many pull requests did each country open in REPO',
  'how many countries do the stargazers of REPO come from',
  'python developers who starred REPO by country',
  'which stargazers of REPO come from Germany',
  'stargazers of REPO by country and company',
  'who starred both REPO and one/two',
  'which bots open pull requests in REPO',
  'open issues of REPO by country',
  'which cities do the stargazers of REPO come from',
  'star REPO for me',
  'open an issue in REPO',
  'delete all collections',
  'create a collection of trending repositories',
  'trending repositories of last year',
  'trending collections with more than 5 repositories',
  'rank web frameworks by forks',
  'rank web frameworks by stars in 2025',
  'web framework',
  'stargazers of REPO by country from 2025 to 2024',
  'how do people create issues in REPO',
  'what did people write in issues of REPO',
  'which issues did most people open in REPO',
  'one/two',
  'top 5',
  'including bots',
  'how are you?',
  'what is a web framework',
  'which web framework should I use',
  'how many web frameworks gained stars',
  'who opens the most issues in web frameworks',
  'trending Rust and Go repositories',
  'popular Python libraries for charts',
  'most popular license',
  'create me a collection of trending repositories',
  'who watches REPO',
  'who opened exactly one issue in REPO',
  'who opened the largest pull request in REPO',
  'who rarely opens issues in REPO',
  'who opens issues most quickly in REPO',
  'whose pull requests were rejected in REPO',
  'returning issue creators of REPO per month',
  'issue creators of REPO with their companies',
  'can anyone open issues in REPO',
  'countries of the top 10 issue creators of REPO',
  'top issue creator in each country for REPO',
  'new countries among the stargazers of REPO in 2026',
  'stargazers of REPO by country, except Germany',
  'companies of the people who answer issues in REPO',
  'fake stars of REPO over time',
];

onServer('the catalogue, for questions without an answer', (environment) => {
  const demo = useCatalogue(environment);

  it('declines, and recommends questions that it answers', () => expectDeclined(demo(), UNANSWERED.slice(0, 4)));
});

describeEmbedded('the catalogue, for questions without an answer', () => {
  const demo = useCatalogue(() => ({}));

  it('declines, and recommends questions that it answers', () => expectDeclined(demo(), UNANSWERED));

  it('names the words that no definition explains', async () => {
    const { message } = await demo().decline(`python fans who starred ${demo().repository} by country`);
    expect(message).to.equal('No definition answers this question: none of them explains "python".');
  });

  it('names the missing parameter', async () => {
    expect((await demo().decline('star history')).message).to.equal(
      'The question does not contain a value for the repository (owner/name).',
    );
    expect((await demo().decline('rank the collection by stars')).message).to.equal(
      'The question does not contain a value for the collection.',
    );
  });

  it('declines hostile text', async () => {
    for (const text of HOSTILE_TEXTS) {
      expect((await demo().decline(text)).type, text).to.equal('error-sql-can-not-answer');
    }
  });

  it('rejects a question that is too long', async () => {
    const { type, message } = await demo().decline('x'.repeat(MAX_QUESTION_LENGTH + 1));
    expect(type).to.equal('error-question-too-long');
    expect(message).to.equal('The question has 513 characters; at most 512 are allowed.');
  });

  it('ends when the caller disconnects', async () => {
    const options = { now: new Date(NOW), signal: AbortSignal.abort() };
    const error = await demo()
      .catalogue.propose('collections', options)
      .catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(EngineError).with.property('code', 'query_cancelled');
  });

  it('does not take a failure of the database as a question without an answer', async () => {
    const database = { ...demo().database, prepare: demo().database.prepare.bind(demo().database) };
    const failing = () => Promise.reject(new EngineError('database_unavailable', 'the database is away'));
    const { endpoints, vocabulary } = demo();
    const catalogue = createCatalogue({ endpoints, vocabulary, database: { ...database, query: failing } });
    const options = { now: new Date(NOW), signal: new AbortController().signal };
    const error = await catalogue.propose('collections', options).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(EngineError).with.property('code', 'database_unavailable');
  });
});

async function expectDeclined(demo: DemoCatalogue, questions: readonly string[]): Promise<void> {
  const recommended = new Set<string>();
  for (const question of questions) {
    const error = await demo.decline(question.replace('REPO', demo.repository));
    expect(error.type, question).to.equal('error-sql-can-not-answer');
    expect(error.details.recommendedQuestions, question).to.have.lengthOf(4);
    for (const one of error.details.recommendedQuestions ?? []) recommended.add(one);
  }
  for (const question of recommended) await demo.propose(question);
}

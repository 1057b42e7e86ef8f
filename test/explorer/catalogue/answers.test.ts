import { expect } from 'chai';
import { onServer } from '../../services/mysql.js';
import { describeEmbedded } from '../../services/server.js';
import { type DemoCatalogue, useCatalogue } from './demo-catalogue.js';

/** For each definition: questions, with the optional parameters that they set. `REPO` and `COLLECTION` are replaced by names. */
const QUESTIONS: Readonly<Record<string, readonly (readonly [string, Readonly<Record<string, string>>])[]>> = {
  'list-collections': [
    ['Which collections do you have?', {}],
    ['Any chance to get a complete list of the collections that your service apparently offers?', {}],
  ],
  'list-hot-collections': [['what are the hottest colections right now', {}]],
  'list-repos-of-collection': [
    ['list the repositories of the COLLECTION collection', {}],
    ['which COLLECTIONs do you track', {}],
  ],
  'collection-repo-ranking-by-stars': [
    ['Which COLLECTIONs gained the most stars?', {}],
    ['rank COLLECTIONs by stars this month', { period: 'past_month' }],
    ['COLLECTIONs by star growth', {}],
    ['COLLECTION collection: who gets the most stargazers?', {}],
  ],
  'collection-repo-ranking-by-prs': [['PR ranking of COLLECTIONs, last 28 days', {}]],
  'collection-repo-ranking-by-issues': [['most new issues in the collection "COLLECTION"', {}]],
  'list-trending-repos': [
    ['What is trending today?', {}],
    ['trending C++ repositories of the past 3 months', { language: 'C++', period: 'past_3_months' }],
    ['popular C# repositories right now', { language: 'C#' }],
    ['hottest golang projects of the week', { language: 'Go', period: 'past_week' }],
  ],
  'list-issue-creators': [
    ['Who opens the most issues in REPO?', {}],
    ['top 5 issue authors of https://github.com/REPO, bots included', { page_size: '5', exclude_bots: 'false' }],
    ['newest issue creators of REPO', { sort: 'first_issue_opened_at-desc' }],
    ['issue reporters of REPO in alphabetical order', { sort: 'login' }],
  ],
  'list-pull-request-creators': [
    ['whose pull request was merged first in REPO', { sort: 'first_pr_merged_at' }],
    ['who sent the fewest PRs to REPO', { sort: 'prs' }],
  ],
  'issue-creators-history': [
    ['number of issue creators of REPO per week since 2026', { per: 'week', from: '2026-01-01' }],
  ],
  'pull-request-creators-history': [
    ['pull request creators of REPO over time, last year', { from: '2025-01-01', to: '2025-12-31' }],
  ],
  'stargazers-history': [
    ['Star history of REPO', {}],
    ['Are the stars of REPO climbing over the years?', {}],
    ['How did the stars of REPO grow day by day in May 2026?', { per: 'day', from: '2026-05-01', to: '2026-05-31' }],
  ],
  'list-countries-of-stargazers': [
    ['Where do the stargazers of REPO come from, including unknown?', { exclude_unknown: 'false' }],
    ['Could you kindly make me a world map of the stars of REPO?', {}],
    ['stars of REPO per country, do not hide people without a known country', { exclude_unknown: 'false' }],
    ['countries of the new fans who starred REPO since March this year', { from: '2026-03-01' }],
  ],
  'list-countries-of-issue-creators': [['issue creators of REPO by country until March 2026', { to: '2026-03-31' }]],
  'list-countries-of-pr-creators': [['In which countries live the people who open pull requests in REPO', {}]],
  'list-organizations-of-stargazers': [['Where do the people who starred REPO work?', {}]],
  'list-organizations-of-issue-creators': [['Which companies file issues against REPO?', {}]],
  'list-organizations-of-pr-creators': [['orgs behind the pull requests of REPO this year', { from: '2026-01-01' }]],
  'collection-overview': [['How many repositories are in the collection COLLECTION?', {}]],
  'collections-by-growth': [
    ['Which collections grow fastest, and since when?', {}],
    ['fastest growing collections', {}],
  ],
  'collections-growth-history': [['monthly new stars of collections', {}]],
  'collection-stars-history': [['How did the ranks in the collection COLLECTION change over time?', {}]],
  'data-coverage': [['Which days are in the data?', {}]],
  'data-event-types': [['how many events of each type are in the data', {}]],
  'data-gaps': [['Which hours are missing in the data?', {}]],
  'data-shares': [['Which months of the data are incomplete?', {}]],
  'repository-overview': [
    ['facts about REPO', {}],
    ['REPO', {}],
    ['How many stars does REPO have?', {}],
    ['When was REPO created?', {}],
    ['summary of the licence and the programming language of REPO, please', {}],
  ],
  'repository-activity': [['How active is REPO per week?', { per: 'week' }]],
  'pull-request-lead-times': [
    ['How long do pull requests of REPO take to be merged?', {}],
    ['median time to merge in REPO per week', { per: 'week' }],
  ],
  'pull-request-outcomes': [['Which share of the pull requests of REPO is merged?', {}]],
  'repository-contributors': [['new and returning contributors of REPO', {}]],
  'contributor-retention': [['What is the retention of contributors of REPO?', {}]],
  'star-movers': [
    ['What are the biggest movers of the week?', {}],
    ['Whose stars changed most this week?', {}],
  ],
  'repository-hours': [['On which weekdays is REPO active?', {}]],
  'collection-languages': [['Which languages are used in the collection COLLECTION?', {}]],
  'contribution-concentration': [['What is the bus factor of REPO?', {}]],
  'owner-repositories': [['Which repositories does OWNER own?', {}]],
  'person-overview': [
    ['Who is LOGIN?', {}],
    ['where does LOGIN work', {}],
  ],
  'person-activity': [
    ['reviews and comments of LOGIN per week', { per: 'week' }],
    ['How active was LOGIN during the past four weeks, day by day?', { period: 'past_28_days', per: 'day' }],
  ],
  'person-languages': [['programming languages of LOGIN', {}]],
  'person-repositories': [
    ['To which repositories does LOGIN contribute?', {}],
    ['repositories starred by LOGIN', { relation: 'starred' }],
  ],
  'compare-repositories': [
    ['REPO vs OTHER', { repos: 'REPO,OTHER' }],
    ['Which of REPO and OTHER has more forks?', { repos: 'REPO,OTHER' }],
  ],
  'compare-stargazers-history': [
    ['Compare the stars of REPO and OTHER over time', { repos: 'REPO,OTHER' }],
    ['stars of REPO against OTHER since 2026', { repos: 'REPO,OTHER', from: '2026-01-01' }],
  ],
  'compare-stargazers-by-age': [['stars of REPO and OTHER by age', { repos: 'REPO,OTHER' }]],
  'collection-people': [['Who is most active in the COLLECTION collection?', {}]],
};

/** Returns the names of the definitions that have questions. */
function namesWithQuestions({ endpoints }: DemoCatalogue): string[] {
  return endpoints.flatMap(({ definition }) => (definition.questions.length > 0 ? [definition.name] : []));
}

function fill(question: string, { repository, other, collection, login }: DemoCatalogue): string {
  const names = {
    REPO: repository,
    OTHER: other,
    OWNER: repository.split('/')[0],
    COLLECTION: collection.name,
    LOGIN: login,
  };
  return Object.entries(names).reduce((text, [place, name]) => text.replaceAll(place, name ?? ''), question);
}

async function expectDefinition(
  demo: DemoCatalogue,
  name: string,
  [question, optional]: readonly [string, Readonly<Record<string, string>>],
): Promise<void> {
  const [owner = '', repo = ''] = demo.repository.split('/');
  const parameters = {
    ...(question.includes('REPO') && optional.repos === undefined && { owner, repo }),
    ...(question.includes('OWNER') && { owner }),
    ...(question.includes('LOGIN') && { login: demo.login }),
    ...(question.includes('COLLECTION') && { collection_id: demo.collection.id }),
    ...optional,
    ...(optional.repos !== undefined && { repos: fill(optional.repos, demo) }),
  };
  const { definition } = await demo.propose(fill(question, demo));
  expect(definition, question).to.deep.equal({ name, parameters });
}

onServer('the catalogue', (environment) => {
  const demo = useCatalogue(environment);

  it('finds each definition and its parameters', async () => {
    for (const [name, [question]] of Object.entries(QUESTIONS)) {
      if (question !== undefined) await expectDefinition(demo(), name, question);
    }
  });

  it('corrects names and mistakes', () => expectUnderstood(demo()));
});

describeEmbedded('the catalogue', () => {
  const demo = useCatalogue(() => ({}));

  it('finds each definition and its parameters', async () => {
    for (const [name, questions] of Object.entries(QUESTIONS)) {
      for (const question of questions) await expectDefinition(demo(), name, question);
    }
    expect(Object.keys(QUESTIONS)).to.have.members(namesWithQuestions(demo()));
  });

  it('ignores case, punctuation at the end, and repeated spaces', async () => {
    for (const [index, [question]] of Object.values(QUESTIONS).flat().entries()) {
      const text = fill(question, demo());
      const { definition } = await demo().propose(text);
      const variants = [text.toUpperCase(), text.toLowerCase(), `  ${text.replaceAll(' ', '   ')} ...!?`, `${text}\n`];
      const variant = variants[index % variants.length] ?? text;
      expect((await demo().propose(variant)).definition, variant).to.deep.equal(definition);
    }
  });

  it('states how it understood the question and what it assumes', () => expectUnderstood(demo()));

  it('writes titles without placeholders, also for values that equal a default', async () => {
    for (const question of ['hot repos 24 hours', 'top trending repositories of the day', 'hottest repos this week']) {
      const { revisedTitle, combinedTitle } = await demo().propose(question);
      expect(revisedTitle + combinedTitle, question).to.not.match(/[{}]/);
    }
  });

  it('states that the numbers of a history are running totals', async () => {
    const { assumption } = await demo().propose(`star history of ${demo().repository}`);
    expect(assumption).to.equal('Each number is the running total.');
  });

  it('states the default period', async () => {
    const { assumption } = await demo().propose('trending repositories');
    expect(assumption).to.equal('The period is the past 24 hours.');
  });

  it('uses the repository of the context if the question names none', async () => {
    const context = { repoId: 1, repoName: 'one/two' };
    const parameters = async (question: string) => (await demo().propose(question, context)).definition.parameters;
    expect(await parameters('star history of this repo')).to.deep.equal({ owner: 'one', repo: 'two' });
    expect(await parameters('star history of three/four')).to.deep.equal({ owner: 'three', repo: 'four' });
  });

  it('suggests questions that it answers, of all definitions', async () => {
    const questions = await demo().catalogue.suggestQuestions(60);
    expect(new Set(questions).size).to.equal(60);
    const names = new Set<string>();
    for (const question of questions) names.add((await demo().propose(question)).definition.name);
    expect([...names]).to.have.members(namesWithQuestions(demo()));
  });
});

async function expectUnderstood(demo: DemoCatalogue): Promise<void> {
  const [, name = ''] = demo.repository.split('/');
  const { recommendedQuestions, notClear, ...proposal } = await demo.propose(
    `stargazrs of ${name} by country this year`,
  );
  expect(proposal).to.deep.equal({
    engine: 'catalogue',
    definition: {
      name: 'list-countries-of-stargazers',
      parameters: { owner: demo.repository.split('/')[0], repo: name, from: '2026-01-01' },
    },
    revisedTitle: `Stargazers of ${demo.repository} by country, from 2026-01-01`,
    assumption: `"stargazrs" means "stargazers". "${name}" means ${demo.repository}. "this year" means from 2026-01-01.`,
    combinedTitle:
      `Stargazers of ${demo.repository} by country, from 2026-01-01, assuming that "stargazrs" means "stargazers" ` +
      `and that "${name}" means ${demo.repository} and that "this year" means from 2026-01-01`,
  });
  // The demo data contain forks, which have the same name.
  expect(notClear).to.match(new RegExp(`^Other repositories have the same name: [\\w-]+/${name}`));
  expect(recommendedQuestions).to.have.lengthOf(4);
  for (const question of recommendedQuestions) {
    expect(question).to.include(demo.repository);
    await demo.propose(question);
  }
}

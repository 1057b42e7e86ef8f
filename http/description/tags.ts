import type { DescribedTag } from './description.js';

/** The tags in order of first use, with the descriptions of known ones. */
export function describeTags(names: Iterable<string>): DescribedTag[] {
  return [...new Set(names)].map((name) => {
    const description = TAGS.get(name);
    return description === undefined ? { name } : { name, description };
  });
}

/** Descriptions of the tags of this package. The definition of an operator can have other tags. */
const TAGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Collections: 'Hand-picked collections of repositories, and their rankings.',
    Trends: 'Repositories with much recent activity.',
    'Issue creators': 'Users who open issues in a repository: as a list, over time, and by country or company.',
    'Pull request creators':
      'Users who open pull requests in a repository: as a list, over time, and by country or company.',
    Stargazers: 'Users who star a repository: over time, and by country or company.',
    'Other queries': 'Endpoints that operators add with definition files.',
    Queries: 'Queries by name or as SQL. Cells have native JSON types instead of text.',
    Lookups: 'Records of GitHub: repositories, users and organizations.',
    Explorer: 'Questions in natural language, their answers as rows and charts, and SQL for a question.',
    User: 'The signed-in user: profile, settings and subscriptions.',
    'Sign-in': 'Sign-in with a browser. Available if the operator configures an identity provider.',
    Console: 'What the console shows about definitions, pages and the signed-in user.',
    Service: 'The service itself.',
  }),
);

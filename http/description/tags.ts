import type { DescribedTag } from './description.js';

/** The tags in the order in which they are met, with what is known of them. */
export function describeTags(names: Iterable<string>): DescribedTag[] {
  return [...new Set(names)].map((name) => {
    const description = TAGS.get(name);
    return description === undefined ? { name } : { name, description };
  });
}

/** Those of the package's own endpoints and operations; an added endpoint may bring others. */
const TAGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Collections: 'Hand-picked collections of repositories, and their rankings.',
    Trends: 'Repositories that many people turn to at present.',
    'Issue creators': 'Who opens issues in a repository: one by one, over time, and from where.',
    'Pull request creators': 'Who opens pull requests in a repository: one by one, over time, and from where.',
    Stargazers: 'Who stars a repository: over time, and from where.',
    'Other queries': 'Endpoints that were added by a definition of their own.',
    Queries: 'Queries by their name or by their SQL, with values of their own types in place of text.',
    Lookups: 'Records of the hosting platform: repositories, people and organisations.',
    User: 'The signed-in user: profile, settings and subscriptions.',
    'Sign-in': 'How people sign in with a browser, where the operators set a provider.',
    Service: 'The service itself.',
  }),
);

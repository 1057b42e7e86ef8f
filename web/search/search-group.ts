import type { ConsoleSearch } from '../../app-routes/console/answers.js';
import type { DefinitionSummary } from '../api/definitions.js';
import type { IconName } from '../parts/layout/icon.js';
import { collectionPath, ownerPath, personPath, repositoryPath } from '../parts/links/entity-links.js';
import { matchPages } from './pages.js';
import type { SearchResult } from './search-result.js';
import type { Visit } from './visits.js';

export interface SearchGroup {
  readonly title: string;
  readonly icon: IconName;
  readonly results: readonly SearchResult[];
}

const MAX_ENDPOINTS = 6;
const MAX_NAMES = 6;

/** Returns the groups of results for a text. `found` is absent until the service has answered. */
export function groupResults(
  text: string,
  definitions: readonly DefinitionSummary[],
  found: ConsoleSearch | undefined,
): readonly SearchGroup[] {
  const groups: SearchGroup[] = [
    ...(found === undefined ? [] : groupsOf(found)),
    { title: 'Endpoints', icon: 'endpoint', results: matchEndpoints(text, definitions) },
    { title: 'Pages', icon: 'page', results: matchPages(text) },
  ];
  return groups.filter(({ results }) => results.length > 0);
}

/** Returns the groups for an empty text: recent visits, and the pages. */
export function initialGroups(visits: readonly Visit[]): readonly SearchGroup[] {
  const groups: SearchGroup[] = [
    { title: 'Recently visited', icon: 'clock', results: visits.map(({ path, title }) => ({ path, title })) },
    { title: 'Pages', icon: 'page', results: matchPages('') },
  ];
  return groups.filter(({ results }) => results.length > 0);
}

function groupsOf({ repositories, people, organizations, collections }: ConsoleSearch): SearchGroup[] {
  const accounts = (logins: ConsoleSearch['people'], pathOf: (login: string) => string) =>
    logins.slice(0, MAX_NAMES).map(({ login }) => ({ path: pathOf(login), title: login }));
  return [
    {
      title: 'Repositories',
      icon: 'repository',
      results: repositories
        .slice(0, MAX_NAMES)
        .map(({ fullName }) => ({ path: repositoryPath(fullName), title: fullName })),
    },
    {
      title: 'Collections',
      icon: 'collection',
      results: collections.slice(0, MAX_NAMES).map(({ id, name }) => ({ path: collectionPath(id), title: name })),
    },
    { title: 'People', icon: 'person', results: accounts(people, personPath) },
    { title: 'Organizations', icon: 'person', results: accounts(organizations, ownerPath) },
  ];
}

/** Returns the endpoints that contain all words. Names that start with the text come first, then names that contain it. */
function matchEndpoints(text: string, definitions: readonly DefinitionSummary[]): SearchResult[] {
  const words = text
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean);
  const joined = words.join('-');
  const rank = ({ name }: DefinitionSummary) => (name.startsWith(joined) ? 0 : name.includes(joined) ? 1 : 2);
  return definitions
    .filter(({ name, summary, tags }) => {
      const all = `${name} ${summary ?? ''} ${tags.join(' ')}`.toLowerCase();
      return words.every((word) => all.includes(word));
    })
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, MAX_ENDPOINTS)
    .map(({ name, summary }) => ({
      path: `/e/${encodeURIComponent(name)}`,
      title: summary ?? name,
      detail: summary === null ? 'broken' : name,
    }));
}

import { CATEGORIES } from './categories.js';
import { fullName, isDeleted, type Repository } from './repository.js';

/** A collection in the shape that `data collections` loads. */
export interface DemoCollection {
  readonly id: number;
  readonly name: string;
  readonly public: boolean;
  readonly items: readonly { readonly repo_id: number; readonly repo_name: string }[];
}

/**
 * One collection for each kind of software that there is: its most popular repositories, and two of the kind before it,
 * so that some repositories are in two collections and many in none.
 */
export function createCollections(repositories: readonly Repository[]): DemoCollection[] {
  const best = repositories.filter((repository) => !isDeleted(repository));
  best.sort((a, b) => b.popularity - a.popularity);
  const ofCategory = CATEGORIES.map((category) => best.filter((repository) => repository.category === category));
  const kinds = CATEGORIES.filter((_, index) => (ofCategory[index] ?? []).length > 0);
  return kinds.map((category, index) => {
    const own = (ofCategory[index] ?? []).slice(0, category.size);
    const related = (ofCategory[(index + kinds.length - 1) % kinds.length] ?? []).slice(1, 3);
    const items = [...new Set([...own, ...related])];
    return {
      id: index + 1,
      name: category.collection,
      public: category.public,
      items: items.map((repository) => ({ repo_id: repository.id, repo_name: fullName(repository) })),
    };
  });
}

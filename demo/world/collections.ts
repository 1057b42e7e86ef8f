import { CATEGORIES } from './categories.js';
import { fullName, isDeleted, type Repository } from './repository.js';

/** A collection in the format that `data collections` loads. */
export interface DemoCollection {
  readonly id: number;
  readonly name: string;
  readonly public: boolean;
  readonly items: readonly { readonly repo_id: number; readonly repo_name: string }[];
}

/**
 * Creates one collection per existing category: its most popular repositories and two of the previous category. Some
 * repositories are therefore in two collections and many in none.
 */
export function createCollections(repositories: readonly Repository[]): DemoCollection[] {
  const ranked = repositories.filter((repository) => !isDeleted(repository));
  ranked.sort((a, b) => b.popularity - a.popularity);
  const ofCategory = CATEGORIES.map((category) => ranked.filter((repository) => repository.category === category));
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

import type { DefinitionSummary } from '../api/definitions.js';

export interface DefinitionGroup {
  readonly tag: string;
  readonly definitions: readonly DefinitionSummary[];
}

/** The group of definitions without a tag. */
export const OTHERS = 'Others';

/** Groups definitions by their first tag. Only definitions that contain all words of the filter are included. */
export function groupDefinitions(
  definitions: readonly DefinitionSummary[],
  filter: string,
): readonly DefinitionGroup[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = definitions.filter((definition) => {
    const text = textOf(definition);
    return words.every((word) => text.includes(word));
  });
  const tags = new Set(found.map(tagOf));
  return [...tags]
    .map((tag) => ({ tag, definitions: found.filter((definition) => tagOf(definition) === tag) }))
    .sort((a, b) => Number(a.tag === OTHERS) - Number(b.tag === OTHERS) || a.tag.localeCompare(b.tag));
}

function tagOf({ tags: [tag = OTHERS] }: DefinitionSummary): string {
  return tag;
}

function textOf({ name, path, summary, tags, state }: DefinitionSummary): string {
  return [name, name.replaceAll('-', ' '), path, summary, ...tags, state].join(' ').toLowerCase();
}

/** The names that a reload added, changed or removed. */
export interface Changes {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Compares the items that were served before with the items that are served now. */
export function findChanges<Item>(
  before: ReadonlyMap<string, Item>,
  after: ReadonlyMap<string, Item>,
  isSame: (one: Item, other: Item) => boolean,
): Changes {
  const isChanged = ([name, item]: [string, Item]) => {
    const old = before.get(name);
    return old !== undefined && !isSame(old, item);
  };
  return {
    added: [...after.keys()].filter((name) => !before.has(name)),
    changed: [...after].filter(isChanged).map(([name]) => name),
    removed: [...before.keys()].filter((name) => !after.has(name)),
  };
}

import { pascalCase } from '../names.js';

/**
 * Returns the method names of endpoints, by endpoint: `list-collections` → `listCollections`. The names are unique, and differ from the
 * members that every JavaScript object has. The same endpoints in the same order always get the same names.
 */
export function methodNames(endpoints: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>(RESERVED);
  return new Map(
    endpoints.map((endpoint) => {
      const pascal = pascalCase(endpoint);
      const name = pascal.charAt(0).toLowerCase() + pascal.slice(1);
      let free = name;
      for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
      taken.add(free);
      return [endpoint, free] as const;
    }),
  );
}

/** Names that methods must not have: members of every object or class, and `then`, with which an object would be treated as a promise. */
const RESERVED = [
  ...Object.getOwnPropertyNames(Object.prototype),
  'then',
  'catch',
  'finally',
  'prototype',
  'toJSON',
  'query',
];

import { pascalCase } from '../names.js';

/**
 * Returns the names of the methods of endpoints, by endpoint: `list-collections` → `listCollections`. They are unique, and differ
 * from the members that every object has. The same endpoints in the same order always get the same names.
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

/** Members of objects and classes. An object with a method `then` would be treated as a promise. */
const RESERVED = [
  ...Object.getOwnPropertyNames(Object.prototype),
  'then',
  'catch',
  'finally',
  'prototype',
  'toJSON',
  'query',
];

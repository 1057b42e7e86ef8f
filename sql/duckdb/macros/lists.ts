import type { Macro } from './macro.js';

/** Macros for lists: the values of GROUP_CONCAT, and those of several paths in a JSON document. */
export const LISTS: readonly Macro[] = [
  // If the value is NULL in all rows, the list is empty and the result is NULL.
  ['joined(list, separator)', 'array_to_string(CAST(nullif(list, []) AS VARCHAR[]), separator)'],
  // The JSON array of the values of several paths. MySQL omits missing values, and returns NULL if all are missing.
  [
    'found_values(list)',
    `CASE WHEN len(list_filter(list, lambda value: value IS NOT NULL)) > 0
       THEN CAST(to_json(list_filter(list, lambda value: value IS NOT NULL)) AS JSON) END`,
  ],
  // The distinct values of a sorted list without NULL. The macro compares each element with the previous element. It
  // does not use `list[i - 1]`, which would copy the list for each element.
  [
    'distinct_of(list)',
    `list_transform(list_filter(list_zip(list, list_prepend(NULL, list)), lambda pair: pair[1] IS NOT NULL
       AND (pair[2] IS NULL OR pair[1] <> pair[2])), lambda pair: pair[1])`,
  ],
  ['with_places(list)', "list_sort(list_transform(list, lambda value, place: { 'value': value, 'place': place }))"],
  // The distinct values of a list without NULL, in the order of their first occurrences.
  [
    'first_of_each(list)',
    `list_transform(list_sort(list_transform(list_filter(list_zip(mysql.with_places(list),
       list_prepend(NULL, mysql.with_places(list))), lambda pair: pair[1] IS NOT NULL
       AND (pair[2] IS NULL OR pair[1].value <> pair[2].value)), lambda pair: { 'place': pair[1].place, 'value': pair[1].value })),
       lambda first: first.value)`,
  ],
];

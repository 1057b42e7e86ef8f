import type { ErrorObject } from 'ajv';

/**
 * Describes the expected value of an ajv error as a noun phrase for messages, such as `one of a, b` or `an integer`.
 * `mapping` is the word for an object: YAML files contain mappings, JSON bodies contain objects.
 */
export function expectedBySchema(
  { keyword, params, schema }: ErrorObject,
  mapping: 'a mapping' | 'an object' = 'a mapping',
): string {
  const { limit } = params as { limit: number };
  switch (keyword) {
    case 'type':
      return [params.type as string | readonly string[]]
        .flat()
        .map((type) => (type === 'object' ? mapping : (TYPES[type] ?? type)))
        .join(' or ');
    case 'enum':
      return `one of ${params.allowedValues.join(', ')}`;
    case 'pattern':
      return `text that matches ${schema}`;
    case 'not':
      return `a value other than ${(schema as { enum: readonly string[] }).enum.join(', ')}`;
    case 'minLength':
    case 'maxLength':
      return `text of ${bound(keyword)} ${limit} ${limit === 1 ? 'character' : 'characters'}`;
    case 'minItems':
    case 'maxItems':
      return `a list of ${bound(keyword)} ${limit} ${limit === 1 ? 'item' : 'items'}`;
    case 'minProperties':
      return `${mapping} with at least ${limit} ${limit === 1 ? 'key' : 'keys'}`;
    case 'uniqueItems':
      return 'a list without duplicates';
    case 'minimum':
      return `${limit} or more`;
    case 'maximum':
      return `${limit} or less`;
    default:
      return keyword;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
};

function bound(keyword: string): string {
  return keyword.startsWith('min') ? 'at least' : 'at most';
}

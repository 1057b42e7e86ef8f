import type { ConsoleParameter } from '../../api/definitions.js';
import { schemaOf } from './parameter-values.js';

/** The kind of object to which a value refers, for suggestions. */
export type Subject = 'repository' | 'person' | 'collection';

export type Control =
  | { readonly kind: 'select'; readonly values: readonly string[] }
  | { readonly kind: 'switch' | 'number' | 'date' | 'text' | 'choices' }
  | { readonly kind: 'search'; readonly subject: Subject }
  | { readonly kind: 'list'; readonly subject?: Subject; readonly values?: readonly string[] };

/** A field of a form. A field for a repository can have two parameters. */
export type FormField =
  | { readonly kind: 'repository'; readonly owner: ConsoleParameter; readonly repo: ConsoleParameter }
  | { readonly kind: 'parameter'; readonly parameter: ConsoleParameter; readonly control: Control };

/** Lists with more values than this get a search field. */
const MAX_SELECT = 15;

export function fieldsOf(parameters: readonly ConsoleParameter[]): readonly FormField[] {
  const owner = parameters.find(({ name }) => name === 'owner');
  const repo = parameters.find(({ name }) => name === 'repo');
  const isPair = owner !== undefined && repo !== undefined && owner.required && repo.required;
  return parameters.flatMap((parameter): FormField[] => {
    if (isPair && parameter === repo) return [];
    if (isPair && parameter === owner) return [{ kind: 'repository', owner, repo }];
    return [{ kind: 'parameter', parameter, control: controlOf(parameter) }];
  });
}

export function controlOf(parameter: ConsoleParameter): Control {
  const schema = schemaOf(parameter);
  const { type, format, enum: values, items, default: value } = schema;
  const subject = subjectOf(parameter.name);
  if (type === 'array') {
    const listed = items?.enum?.map(String);
    return { kind: 'list', ...(listed && { values: listed }), ...(subject && { subject }) };
  }
  if (values !== undefined) {
    return values.length > MAX_SELECT ? { kind: 'choices' } : { kind: 'select', values: values.map(String) };
  }
  if (parameter.hasChoices) return { kind: 'choices' };
  // Without a default there are three states (true, false and absent), which a switch cannot show.
  if (type === 'boolean')
    return value === undefined ? { kind: 'select', values: ['true', 'false'] } : { kind: 'switch' };
  if (subject !== undefined) return { kind: 'search', subject };
  if (type === 'integer' || type === 'number') return { kind: 'number' };
  return { kind: format === 'date' ? 'date' : 'text' };
}

function subjectOf(name: string): Subject | undefined {
  if (/^(repos|repo_names?|repositories|full_names?)$/i.test(name)) return 'repository';
  if (/^((user|actor|author|contributor)_)?logins?$|^(users?|actors?)$/i.test(name)) return 'person';
  return /^collection_ids?$/i.test(name) ? 'collection' : undefined;
}

import { useQueries } from '@tanstack/react-query';
import { AccessForm, isAccessError } from '../access/access-form.js';
import type { PageBlock } from '../api/pages.js';
import { readRows } from '../api/rows.js';
import type { ParameterTexts } from '../parts/form/parameter-values.js';
import { queriesOf } from './shared-messages.js';

export interface BlocksAccessProps {
  readonly blocks: readonly PageBlock[];
  readonly values: ParameterTexts;
}

/** Asks once for an API key if blocks of a page cannot be read without it. The key is tried with the first of them. */
export function BlocksAccess({ blocks, values }: BlocksAccessProps) {
  const queries = queriesOf(blocks, values);
  const errors = useQueries({ queries, combine: (states) => states.map(({ error }) => error) });
  const index = errors.findIndex(isAccessError);
  const [error, query] = [errors[index], queries[index]];
  if (!isAccessError(error) || query === undefined) return null;
  const [, name, params] = query.queryKey;
  return (
    <AccessForm
      error={error}
      access={blocks.find(({ endpoint }) => endpoint === name)?.access}
      subject="A part of this page"
      tryKey={(key) => readRows(name, params, undefined, key)}
    />
  );
}

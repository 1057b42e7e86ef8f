import type { SearchValues } from '../app/search-text.js';
import type { ParameterTexts } from '../parts/form/parameter-values.js';
import type { TableView } from '../parts/table/table-field.js';

/** Names of view settings begin with this character, so that they differ from parameters of definitions. */
const VIEW = '_';

/** Returns the values of parameters in the query of a URL. */
export function parametersOf(search: SearchValues): ParameterTexts {
  return Object.fromEntries(Object.entries(search).filter(([name]) => !name.startsWith(VIEW)));
}

/** Replaces the parameters in the query of a URL. The view settings are kept. */
export function withParameters(search: SearchValues, values: ParameterTexts): SearchValues {
  const view = Object.entries(search).filter(([name]) => name.startsWith(VIEW));
  return { ...values, ...Object.fromEntries(view) };
}

/** Returns to the first page if the value of any other parameter changed, because the result is then another one. */
export function fromFirstPage(old: ParameterTexts, next: ParameterTexts): ParameterTexts {
  const { page, ...others } = next;
  const isOther = Object.keys({ ...old, ...others }).some((name) => name !== 'page' && old[name] !== others[name]);
  return page === undefined || page !== old.page || !isOther ? next : others;
}

export function tableViewOf({ _sort, _hide }: SearchValues): TableView {
  return {
    ...(_sort !== undefined && { sort: _sort }),
    ...(_hide !== undefined && { hidden: _hide.split(',') }),
  };
}

/** Replaces the table view in the query of a URL. Empty values are omitted. */
export function withTableView(search: SearchValues, { sort = '', hidden = [] }: TableView): SearchValues {
  return { ...search, _sort: sort, _hide: hidden.join(',') };
}

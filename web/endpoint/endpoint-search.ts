import type { SearchValues } from '../app/search-text.js';
import type { ParameterTexts } from '../parts/form/parameter-values.js';
import type { TableView } from '../parts/table/table-field.js';

/** Names of the view begin with this character. Parameters of definitions cannot. */
const VIEW = '_';

/** Returns the values of parameters in a URL. */
export function parametersOf(search: SearchValues): ParameterTexts {
  return Object.fromEntries(Object.entries(search).filter(([name]) => !name.startsWith(VIEW)));
}

/** Replaces the parameters of a URL. The view stays. */
export function withParameters(search: SearchValues, values: ParameterTexts): SearchValues {
  const view = Object.entries(search).filter(([name]) => name.startsWith(VIEW));
  return { ...values, ...Object.fromEntries(view) };
}

/** Returns to the first page if other values than the page changed, because the pages of another result are other pages. */
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

/** Replaces the view of the table in a URL. Empty values are not written. */
export function withTableView(search: SearchValues, { sort = '', hidden = [] }: TableView): SearchValues {
  return { ...search, _sort: sort, _hide: hidden.join(',') };
}

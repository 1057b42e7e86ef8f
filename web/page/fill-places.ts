import type { PageBlock, PageParameter } from '../api/pages.js';
import type { ParameterValues } from '../api/rows.js';
import { defaultOf, type ParameterTexts, valueIn } from '../parts/form/parameter-values.js';

const PLACE = /\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const ONLY_PLACE = /^\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

/** Returns the value of each parameter of a page: from the path, from the query, or the default. */
export function valuesOf(
  parameters: readonly PageParameter[],
  ofPath: ParameterTexts,
  ofQuery: ParameterTexts,
): ParameterTexts {
  return Object.fromEntries(
    parameters.flatMap((parameter): [string, string][] => {
      const { name } = parameter;
      const value = valueIn(ofPath, name) ?? (valueIn(ofQuery, name) || defaultOf(parameter));
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Replaces the placeholders in a text. A placeholder without a value is removed. */
export function fillText(text: string, values: ParameterTexts): string {
  return text.replaceAll(PLACE, (_, name: string) => valueIn(values, name) ?? '');
}

/**
 * Returns the parameters of the request of a block. A parameter whose placeholder has no value is omitted, so that the default of the
 * definition applies.
 */
export function paramsOf({ params }: PageBlock, values: ParameterTexts): ParameterValues {
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => {
      const filled = fillValue(value, values);
      return filled === undefined ? [] : [[name, filled]];
    }),
  );
}

function fillValue(value: PageBlock['params'][string], values: ParameterTexts): ParameterValues[string] {
  if (typeof value === 'string') {
    const only = ONLY_PLACE.exec(value)?.[1];
    return only === undefined ? fillText(value, values) : valueIn(values, only);
  }
  if (typeof value !== 'object') return value;
  return value.flatMap((item) =>
    typeof item === 'string' ? ((fillValue(item, values) as string | undefined) ?? []) : item,
  );
}

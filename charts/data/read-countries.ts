import type { Look } from '../look.js';
import { type ChartRows, cellOf } from '../result-column.js';
import { cellText } from '../text/label-text.js';
import { numberOf } from '../text/number-text.js';

export interface CountryValue {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly name: string;
  readonly value: number;
}

export interface Countries {
  readonly countries: readonly CountryValue[];
  /** Values without a place on the map, such as those of unknown countries. */
  readonly missing: readonly { readonly name: string; readonly value: number }[];
}

/** The maximum number of places in `missing`; the others are combined. */
const MAX_MISSING = 4;

/** Adds the values of each country. Codes have two or three letters. */
export function readCountries(
  { country, value }: { readonly country: string; readonly value: string },
  rows: ChartRows,
  { world, locale }: Look,
): Countries {
  const names = new Intl.DisplayNames(locale, { type: 'region' });
  const countries = new Map<string, CountryValue>();
  const missing = new Map<string, number>();
  for (const row of rows) {
    const [cell, number] = [cellOf(row, country), numberOf(cellOf(row, value))];
    const code = world?.codes[String(cell)];
    if (number === null) continue;
    if (code !== undefined && world?.drawn.has(code)) {
      const before = countries.get(code)?.value ?? 0;
      countries.set(code, { code, name: names.of(code) ?? code, value: before + number });
    } else {
      const name = code === undefined ? cellText(cell) : (names.of(code) ?? code);
      missing.set(name, (missing.get(name) ?? 0) + number);
    }
  }
  return { countries: [...countries.values()], missing: combineRest([...missing]) };
}

function combineRest(missing: readonly (readonly [string, number])[]): Countries['missing'] {
  const all = missing.map(([name, value]) => ({ name, value }));
  if (all.length <= MAX_MISSING) return all;
  const rest = all.slice(MAX_MISSING - 1);
  const value = rest.reduce((total, one) => total + one.value, 0);
  return [...all.slice(0, MAX_MISSING - 1), { name: `${rest.length} other codes`, value }];
}

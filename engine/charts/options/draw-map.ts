import type { Chart } from '../chart.js';
import { cellText, columnText, fieldOf, plainText, quantityText } from '../label-text.js';
import { isCompact, type Look, PALETTES, type Palette, WORLD_MAP } from '../look.js';
import { numberOf } from '../number-text.js';
import { type ChartField, type ChartFields, type ChartRows, cellOf } from '../result-column.js';
import { type ChartOption, commonOption, type Drawing } from './drawing.js';
import { scaleOption } from './value-scale.js';

type MapChart = Extract<Chart, { chartName: 'MapChart' }>;

/** Draws a value per country. Rows that the map cannot show are counted in a note. */
export function drawMap(chart: MapChart, fields: ChartFields, rows: ChartRows, look: Look): Drawing {
  const palette = PALETTES[look.theme];
  const { countries, missing } = readCountries(chart, rows, look);
  const field = fieldOf(fields, chart.value);
  const value = columnText(field);
  const names = new Map(countries.map((country) => [country.code, country]));
  return {
    option: {
      ...commonOption(palette, look),
      tooltip: {
        ...(commonOption(palette, look).tooltip as ChartOption),
        trigger: 'item',
        formatter: ({ name }: { readonly name: string }) => {
          const country = names.get(name);
          if (country === undefined) return plainText(`${countryName(name, look.locale)}\nno value`);
          return plainText(`${country.name}\n${value}: ${quantityText(country.value, field, look.locale)}`);
        },
      },
      visualMap: scaleOption(
        countries.map((country) => country.value),
        field,
        look,
      ),
      series: [mapOption(value, countries, palette, look)],
    },
    notes: missing.map(
      ({ name, value: number }) => `Not on the map: ${name} (${quantityText(number, field, look.locale)}).`,
    ),
    summary: summarize(value, field, countries, look),
  };
}

function countryName(code: string, locale: string): string {
  if (code === '') return 'An area without a country code';
  return new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code;
}

function mapOption(name: string, countries: readonly CountryValue[], palette: Palette, look: Look): ChartOption {
  return {
    type: 'map',
    map: WORLD_MAP,
    name,
    nameProperty: 'name',
    roam: false,
    selectedMode: false,
    // ECharts must not scale the map, because its coordinates already have an equal-area projection.
    aspectScale: 1,
    left: 4,
    right: 4,
    top: 4,
    bottom: isCompact(look) ? 56 : 32,
    itemStyle: { areaColor: palette.empty, borderColor: palette.surface, borderWidth: 0.5 },
    label: { show: false },
    emphasis: {
      label: { show: false },
      itemStyle: { areaColor: undefined, borderColor: palette.text, borderWidth: 1 },
    },
    data: [...countries.map(({ code, value }) => ({ name: code, value })), ...hiddenCircles(countries, look)],
  };
}

function hiddenCircles(countries: readonly CountryValue[], { world }: Look): ChartOption[] {
  const shown = new Set(countries.map(({ code }) => code));
  return [...(world?.circles ?? [])]
    .filter((code) => !shown.has(code))
    .map((code) => ({ name: code, itemStyle: HIDDEN, tooltip: { show: false }, emphasis: { itemStyle: HIDDEN } }));
}

const HIDDEN = { areaColor: 'transparent', borderColor: 'transparent' };

const MAX_SUMMARIZED = 5;

function summarize(value: string, field: ChartField, countries: readonly CountryValue[], { locale }: Look): string {
  const highest = [...countries].sort((a, b) => b.value - a.value).slice(0, MAX_SUMMARIZED);
  const texts = highest.map((country) => `${country.name} ${quantityText(country.value, field, locale)}`);
  return `Map of ${value} by country, with ${countries.length} countries. Highest: ${texts.join(', ')}.`;
}

interface CountryValue {
  /** The country code (ISO 3166-1 alpha-2). */
  readonly code: string;
  readonly name: string;
  readonly value: number;
}

interface Countries {
  readonly countries: readonly CountryValue[];
  /** Values without a place on the map, such as those of unknown countries. */
  readonly missing: readonly { readonly name: string; readonly value: number }[];
}

/** The maximum number of entries in `missing`; all further values are combined. */
const MAX_MISSING = 4;

/** Sums the values of each country. Country codes have two or three letters. */
function readCountries(
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

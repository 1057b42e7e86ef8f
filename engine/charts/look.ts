export type Theme = 'light' | 'dark';

/** The settings for drawing a chart. */
export interface Look {
  readonly theme: Theme;
  /** The width in pixels. */
  readonly width: number;
  readonly height: number;
  /** The language of numbers, dates and countries, as BCP 47. */
  readonly locale: string;
  /** The countries of the map; only maps need them. */
  readonly world?: World;
}

/** The countries of the map. */
export interface World {
  /** The alpha-2 code of each code of ISO 3166-1, both alpha-2 and alpha-3. */
  readonly codes: Readonly<Record<string, string>>;
  /** The alpha-2 codes of the countries on the map. */
  readonly drawn: ReadonlySet<string>;
  /** The alpha-2 codes of countries that are too small for the map. These countries are drawn as circles, and only if they have a value. */
  readonly circles: ReadonlySet<string>;
}

/** The file of the map: the codes, and the borders as GeoJSON. */
export interface WorldFile {
  readonly codes: Readonly<Record<string, string>>;
  readonly map: {
    readonly features: readonly { readonly properties: { readonly name: string; readonly isCircle: boolean } }[];
  };
}

export function readWorld({ codes, map }: WorldFile): World {
  const namesOf = (features: WorldFile['map']['features']) =>
    new Set(features.map(({ properties }) => properties.name));
  return {
    codes,
    drawn: namesOf(map.features),
    circles: namesOf(map.features.filter(({ properties }) => properties.isCircle)),
  };
}

/** The name under which the map of the world is registered in ECharts. */
export const WORLD_MAP = 'world';

/** Widths below this number of pixels, such as those of phones, have less room for labels. */
const COMPACT_WIDTH = 480;

export function isCompact({ width }: Pick<Look, 'width'>): boolean {
  return width < COMPACT_WIDTH;
}

export interface Palette {
  readonly text: string;
  readonly softText: string;
  readonly line: string;
  readonly surface: string;
  /** The colour of countries without a value. */
  readonly empty: string;
  /** The background of times whose data are incomplete. */
  readonly shade: string;
  /** One colour per line, bar or slice. The colours also differ in lightness, so that colour-blind readers can distinguish them. */
  readonly series: readonly string[];
  /** The colours of a map, from low to high values. */
  readonly scale: readonly string[];
}

/** The colours of charts. A colour with the same role as one in the console is equal to it. */
export const PALETTES: Readonly<Record<Theme, Palette>> = {
  light: {
    text: '#1a1f2b',
    softText: '#545c6e',
    line: '#dfe3ea',
    surface: '#ffffff',
    empty: '#e6e9ef',
    shade: '#fbeed3',
    series: [
      '#2f55d4',
      '#c2570c',
      '#0b7a5f',
      '#a1267a',
      '#8a6d00',
      '#0a7fa8',
      '#6b3fa0',
      '#5b6270',
      '#b3261e',
      '#4d6b00',
    ],
    scale: ['#c3d4ff', '#92aef7', '#6487ea', '#3d5fd0', '#1f3a99'],
  },
  dark: {
    text: '#e8eaf0',
    softText: '#a5adbd',
    line: '#2c3442',
    surface: '#161a22',
    empty: '#2a313d',
    shade: '#3a3020',
    series: [
      '#8aa8ff',
      '#f5a25d',
      '#4fd1b0',
      '#f08cc9',
      '#d9c55a',
      '#62c8ee',
      '#bfa0f2',
      '#aab2c0',
      '#ff9a8f',
      '#b5d96b',
    ],
    scale: ['#33457f', '#4a65b5', '#6a8ae6', '#9cb5ff', '#d6e1ff'],
  },
};

/** Returns the colour of a series. After the last colour, the first one follows. */
export function seriesColor({ series }: Palette, index: number): string {
  return series[index % series.length] ?? '';
}

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

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import countries from 'i18n-iso-countries';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

type Position = readonly number[];
type Ring = readonly Position[];
type Polygons = readonly (readonly Ring[])[];

interface Country {
  /** The ISO 3166-1 alpha-2 code; empty for an area without a code. */
  readonly code: string;
  readonly polygons: Polygons;
  readonly isCircle?: boolean;
}

/**
 * Returns the map of the countries for charts, as JSON: the codes of ISO 3166-1, and the borders as GeoJSON. The borders are from the
 * low-resolution map. Countries that it does not contain are circles at their position on the high-resolution map.
 */
export function worldMap(): string {
  return JSON.stringify({ codes: alpha2Codes(), map: toGeoJson(readCountries()) });
}

/** Kosovo has no code in ISO 3166-1; `XK` is in general use. */
const KOSOVO = { XK: 'XK', XKX: 'XK' };

function alpha2Codes(): Readonly<Record<string, string>> {
  const codes = Object.entries(countries.getAlpha3Codes()).flatMap(([alpha3, alpha2]) => [
    [alpha2, alpha2],
    [alpha3, alpha2],
  ]);
  return { ...Object.fromEntries(codes), ...KOSOVO };
}

function readCountries(): Country[] {
  const coarse = readMap('countries-110m.json').filter(({ code }) => code !== 'AQ');
  const known = new Set(coarse.map(({ code }) => code));
  const small = readMap('countries-50m.json').filter(({ code }) => code !== '' && code !== 'AQ' && !known.has(code));
  return [
    ...coarse.map(({ code, polygons }) => ({
      code,
      polygons: withoutIslets(polygons.map((rings) => rings.map(projectRing))),
    })),
    ...small.map(({ code, polygons }) => ({ code, polygons: [[circleAround(centreOf(polygons))]], isCircle: true })),
  ];
}

const require = createRequire(import.meta.url);

function readMap(name: string): Country[] {
  const topology = JSON.parse(readFileSync(require.resolve(`world-atlas/${name}`), 'utf8')) as Topology;
  const collection = feature(topology, topology.objects.countries as GeometryCollection<{ readonly name: string }>);
  return collection.features.map(({ id, properties, geometry }) => ({
    code: properties.name === 'Kosovo' ? 'XK' : (countries.numericToAlpha2(String(id ?? '')) ?? ''),
    polygons:
      geometry.type === 'Polygon'
        ? [geometry.coordinates]
        : geometry.type === 'MultiPolygon'
          ? geometry.coordinates
          : [],
  }));
}

function projectRing(ring: Ring): Ring {
  const points = unwrap(ring).map(project);
  return points.filter(([x, y], index) => index === 0 || x !== points[index - 1]?.[0] || y !== points[index - 1]?.[1]);
}

/** Removes islands that are too small to be seen, but never the largest part of a country. */
function withoutIslets(polygons: Polygons): Polygons {
  const areas = polygons.map(([outer = []]) => areaOf(outer));
  const largest = Math.max(...areas);
  return polygons.filter((_, index) => (areas[index] ?? 0) >= Math.min(MIN_AREA, largest));
}

const MIN_AREA = 0.6;

/** The area of a ring, by the shoelace formula. */
function areaOf(ring: Ring): number {
  const sum = ring.reduce((total, [x = 0, y = 0], index) => {
    const [nextX = 0, nextY = 0] = ring[(index + 1) % ring.length] ?? [];
    return total + x * nextY - nextX * y;
  }, 0);
  return Math.abs(sum) / 2;
}

/** If a border crosses the 180th meridian, continues it beyond 180 degrees, so that the country is in one piece. */
function unwrap(ring: Ring): Ring {
  const crosses = ring.some(([x = 0], index) => Math.abs(x - (ring[index - 1]?.[0] ?? x)) > 180);
  return crosses ? ring.map(([x = 0, y = 0]) => [x < 0 ? x + 360 : x, y]) : ring;
}

/** The coefficients of the Equal Earth projection (Šavrič, Patterson and Jenny, 2018). The projection keeps the proportions of areas. */
const [A1, A2, A3, A4] = [1.340264, -0.081106, 0.000893, 0.003796] as const;
const ROOT3 = Math.sqrt(3);

/** Projects a longitude and a latitude in degrees. At the equator, one unit of the result is about one degree. */
function project([longitude = 0, latitude = 0]: Position): Position {
  const angle = Math.asin((ROOT3 / 2) * Math.sin((latitude * Math.PI) / 180));
  const [a2, a6] = [angle ** 2, angle ** 6];
  const x =
    (2 * ROOT3 * ((longitude * Math.PI) / 180) * Math.cos(angle)) /
    (3 * (9 * A4 * a6 * a2 + 7 * A3 * a6 + 3 * A2 * a2 + A1));
  const y = angle * (A1 + A2 * a2 + a6 * (A3 + A4 * a2));
  return [round((x * 180) / Math.PI), round((y * 180) / Math.PI)];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Returns the mean of the points of the longest border of a country. */
function centreOf(polygons: Polygons): Position {
  const [longest = []] = polygons.flat().sort((a, b) => b.length - a.length);
  const mean = (axis: number) => longest.reduce((sum, point) => sum + (point[axis] ?? 0), 0) / longest.length;
  return project([mean(0), mean(1)]);
}

const RADIUS = 1;
const CORNERS = 12;

function circleAround([x = 0, y = 0]: Position): Ring {
  return Array.from({ length: CORNERS + 1 }, (_, corner) => {
    const angle = (2 * Math.PI * corner) / CORNERS;
    return [round(x + RADIUS * Math.cos(angle)), round(y + RADIUS * Math.sin(angle))];
  });
}

function toGeoJson(all: readonly Country[]) {
  return {
    type: 'FeatureCollection',
    features: all.map(({ code, polygons, isCircle = false }) => ({
      type: 'Feature',
      properties: { name: code, isCircle },
      geometry: {
        type: 'MultiPolygon',
        coordinates: polygons.map((rings) => rings.filter(({ length }) => length > 3)),
      },
    })),
  };
}

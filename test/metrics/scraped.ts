/** The values of a scrape by series, such as `name{label="value"}`. */
export type Scraped = ReadonlyMap<string, number>;

/** Reads the metrics of a service. */
export async function scrape(url: string): Promise<Scraped> {
  const response = await fetch(`${url}/metrics`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  return parseScrape(text);
}

export function parseScrape(text: string): Scraped {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** Returns the sum of the values of a family; for a histogram, the number of observations. */
export function sumOf(scraped: Scraped, family: string): number {
  let sum = 0;
  for (const [series, value] of scraped) {
    const [name] = series.split('{');
    if (name === family || name === `${family}_count`) sum += value;
  }
  return sum;
}

/** Returns all values of a label in a family. */
export function labelValues(scraped: Scraped, family: string, label: string): Set<string> {
  const values = new Set<string>();
  for (const series of scraped.keys()) {
    if (!series.startsWith(`${family}{`)) continue;
    const [, value] = new RegExp(`[{,]${label}="([^"]*)"`).exec(series) ?? [];
    if (value !== undefined) values.add(value);
  }
  return values;
}

import type { DigestWeek } from '../../accounts/digest-times.js';
import { contentHash } from '../../console/content-hash.js';
import type { StoredImages } from '../../console/images/stored-images.js';
import { withTitle } from '../../engine/charts/fitting-charts.js';
import type { WeekOfRepositories } from './read-week.js';

/** The maximum number of repositories in the picture. */
const MAX_BARS = 10;

/** Draws the new stars of a week as PNG. Undefined without known stars. */
export async function drawStars(
  images: Pick<StoredImages, 'get'>,
  { endpoint, fields, rows }: WeekOfRepositories,
  { firstDay, lastDay }: DigestWeek,
): Promise<Buffer | undefined> {
  const data = rows.filter(({ new_stars: stars }) => Number(stars ?? 0) > 0).slice(0, MAX_BARS);
  const { chart } = endpoint.definition;
  if (data.length === 0 || chart === undefined) return undefined;
  const envelope = { fields, data, dataAsOf: null, stale: false, truncated: false, params: {}, notices: [] };
  const body = Buffer.from(JSON.stringify(envelope));
  const content = {
    kind: 'result',
    title: TITLE,
    subtitle: `${firstDay} to ${lastDay} (UTC)`,
    body,
    columns: fields,
    chart: withTitle(chart, TITLE),
    warnings: [],
  } as const;
  const job = () => ({ format: 'png', look: { theme: 'light', width: 600 }, content }) as const;
  return (await images.get(`digest ${firstDay} ${contentHash(body)}`, job, 'digests')).bytes;
}

const TITLE = 'New stars';

import type { DigestWeek } from '../../accounts/digest-times.js';
import { cellText } from '../../engine/charts/label-text.js';
import { numberOf, numberText } from '../../engine/charts/number-text.js';
import { type ChartRow, cellOf } from '../../engine/charts/result-column.js';
import { escapeHtml } from '../../engine/http/escape-html.js';
import type { WeekOfRepositories } from './read-week.js';

/** The content of a digest. */
export interface Digest {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface DigestLinks {
  /** The public URL of the service, without a slash at the end. */
  readonly publicUrl: string;
  /** The page on which the user ends the digests without sign-in. */
  readonly unsubscribe: string;
}

/** The maximum number of repositories in a digest. */
export const MAX_SHOWN = 50;

/** Whether anything is known to have happened in the repositories. Without it, there is no digest. */
export function hasChanges({ rows }: Pick<WeekOfRepositories, 'rows'>): boolean {
  return rows.some((row) => COUNTS.some((name) => (numberOf(cellOf(row, name)) ?? 0) > 0));
}

const COUNTS = ['new_stars', 'issues', 'pull_requests', 'merged_pull_requests'];

/**
 * Writes the digest of a week. `picture` is the URL of the chart in the HTML; undefined without a picture. The text and the HTML have the same
 * content.
 */
export function writeDigest(
  service: string,
  week: DigestWeek,
  { rows, warnings }: Pick<WeekOfRepositories, 'rows' | 'warnings'>,
  links: DigestLinks,
  picture: string | undefined,
): Digest {
  const sentence = summaryOf(rows);
  const days = `${week.firstDay} to ${week.lastDay} (UTC)`;
  const shown = rows.slice(0, MAX_SHOWN).map((row) => itemOf(row, links));
  const more =
    rows.length > MAX_SHOWN ? [`${amount(rows.length - MAX_SHOWN, 'more repository', 'more repositories')}.`] : [];
  const reason = `You get this e-mail each week, because you enabled it on your account page at ${service}.`;
  const account = `${links.publicUrl}/account`;
  const text = [
    ...[`${service}: ${days}`, sentence],
    shown.map(({ name, url, facts }) => `${name}\n  ${facts.join(', ')}\n  ${url}`).join('\n\n'),
    ...more,
    ...(warnings.length === 0 ? [] : [['About these numbers:', ...warnings.map((one) => `- ${one}`)].join('\n')]),
    `${reason}\nYour account: ${account}\nStop these e-mails: ${links.unsubscribe}`,
  ].join('\n\n');
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(service)}</title></head>`,
    `<body style="margin:0 auto;padding:16px;max-width:640px;font:16px/1.5 sans-serif">`,
    `<p style="margin:0">${escapeHtml(days)}</p><h1 style="margin:0 0 16px;font-size:20px">${escapeHtml(sentence)}</h1>`,
    ...(picture === undefined
      ? []
      : [`<img src="${escapeHtml(picture)}" alt="New stars by repository" width="600" style="max-width:100%">`]),
    '<ul style="padding-left:20px">',
    ...shown.map(
      ({ name, url, facts }) =>
        `<li style="margin:8px 0"><a href="${escapeHtml(url)}"><strong>${escapeHtml(name)}</strong></a><br>${facts.map(escapeHtml).join('<br>')}</li>`,
    ),
    '</ul>',
    ...more.map((one) => `<p>${escapeHtml(one)}</p>`),
    ...(warnings.length === 0
      ? []
      : [`<p>About these numbers:</p><ul>${warnings.map((one) => `<li>${escapeHtml(one)}</li>`).join('')}</ul>`]),
    `<p style="font-size:14px">${escapeHtml(reason)}<br><a href="${escapeHtml(account)}">Your account</a> · `,
    `<a href="${escapeHtml(links.unsubscribe)}">Stop these e-mails</a></p></body></html>`,
  ].join('\n');
  return { subject: `${sentence} ${service}, ${week.firstDay} to ${week.lastDay}`, text: `${text}\n`, html };
}

/** Writes the most important change as a sentence. The first row has the most new stars. */
function summaryOf(rows: readonly ChartRow[]): string {
  const stars = rows.map((row) => numberOf(cellOf(row, 'new_stars'))).filter((value) => value !== null);
  const [first, most = 0] = [rows[0], stars[0]];
  if (first === undefined || most === 0) {
    return `News from ${amount(rows.length, 'repository', 'repositories')} that you follow.`;
  }
  const name = nameOf(first);
  if (stars.length === 1) return `${name} has ${amount(most, 'new star', 'new stars')}.`;
  const sum = stars.reduce((total, one) => total + one, 0);
  return `${amount(sum, 'new star', 'new stars')} in ${stars.length} repositories, ${amount(most, 'star', 'stars')} for ${name}.`;
}

interface Item {
  readonly name: string;
  readonly url: string;
  readonly facts: readonly string[];
}

function itemOf(row: ChartRow, { publicUrl }: DigestLinks): Item {
  const name = nameOf(row);
  const path = String(cellOf(row, 'repo_name')).split('/').map(encodeURIComponent).join('/');
  return {
    name,
    url: `${publicUrl}/p/repositories/${path}`,
    facts: [
      `${countOf(row, 'new_stars', 'new star', 'new stars')}${changeOf(row)}`,
      countOf(row, 'issues', 'issue opened', 'issues opened'),
      countOf(row, 'pull_requests', 'pull request opened', 'pull requests opened'),
      countOf(row, 'merged_pull_requests', 'pull request merged', 'pull requests merged'),
    ],
  };
}

function nameOf(row: ChartRow): string {
  return cellText(cellOf(row, 'repo_name'));
}

/** The change of the new stars against the week before; empty if it is unknown. */
function changeOf(row: ChartRow): string {
  const change = numberOf(cellOf(row, 'star_change'));
  if (change === null) return '';
  if (change === 0) return ' (as many as in the week before)';
  return ` (${change > 0 ? '▲' : '▼'} ${numberText(Math.abs(change), LOCALE)} ${change > 0 ? 'more' : 'fewer'} than in the week before)`;
}

function countOf(row: ChartRow, column: string, singular: string, plural: string): string {
  const value = numberOf(cellOf(row, column));
  return value === null ? `unknown number of ${plural}` : amount(value, singular, plural);
}

function amount(value: number, singular: string, plural: string): string {
  return `${numberText(value, LOCALE)} ${value === 1 ? singular : plural}`;
}

const LOCALE = 'en-US';

import { escapeHtml } from '../../engine/http/escape-html.js';
import type { About } from '../home.js';

/** The title and the status of a page, as known before its scripts run. */
export interface PageHead {
  readonly status: number;
  readonly title: string;
  readonly description?: string;
  /** The path of an image of the page, without the leading slash. */
  readonly image?: string;
  /** The path of the feed of the page, without the leading slash. */
  readonly feed?: string;
}

/** The address of a page: its path without the leading slash, and the public URL of the service if it is configured. */
interface PageAddress {
  readonly about: About;
  readonly path: string;
  readonly publicUrl: string | undefined;
}

/**
 * Writes the title of a page, and the tags for search engines and link previews. Sites that read the tags do not resolve relative URLs, so
 * an image gets an absolute URL if the public URL is configured.
 */
export function headTags(head: PageHead, { path, publicUrl, about }: PageAddress): string {
  const { status, title, description = about.description, image, feed } = head;
  const absolute = (to: string) => (publicUrl === undefined ? to : `${publicUrl}/${to}`);
  const tags = [
    `<title>${escapeHtml(`${title} · ${about.name}`)}</title>`,
    writeMeta('name', 'description', shorten(description)),
    writeMeta('property', 'og:site_name', about.name),
    writeMeta('property', 'og:type', 'website'),
    writeMeta('property', 'og:title', title),
    writeMeta('property', 'og:description', shorten(description)),
  ];
  if (image !== undefined) {
    tags.push(
      writeMeta('property', 'og:image', absolute(image)),
      writeMeta('name', 'twitter:card', 'summary_large_image'),
    );
  }
  if (feed !== undefined) {
    tags.push(`<link rel="alternate" type="application/atom+xml" href="${escapeHtml(absolute(feed))}">`);
  }
  if (publicUrl !== undefined && status === 200) {
    tags.push(
      `<link rel="canonical" href="${escapeHtml(absolute(path))}">`,
      writeMeta('property', 'og:url', absolute(path)),
    );
  }
  if (status !== 200 || PRIVATE.test(path)) tags.push(writeMeta('name', 'robots', 'noindex'));
  return tags.join('');
}

/** Pages that search engines must not list: embedded pages are parts of other pages, and account pages are personal. */
const PRIVATE = /^(?:embed|account|operator)(?:\/|$)/;
const MAX_DESCRIPTION = 200;

function writeMeta(kind: 'name' | 'property', name: string, content: string): string {
  return `<meta ${kind}="${name}" content="${escapeHtml(content)}">`;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_DESCRIPTION ? `${line.slice(0, MAX_DESCRIPTION - 1).trimEnd()}…` : line;
}

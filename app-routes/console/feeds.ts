import { contentHash } from '../../console/content-hash.js';
import type { PagesState } from '../../console/pages/next-pages.js';
import { findPlaces } from '../../console/pages/page.js';
import { escapeXml } from '../../console/xml-text.js';
import { cellFormat } from '../../engine/charts/cell-format.js';
import { formatOf } from '../../engine/charts/column-presentation.js';
import { flattenRows } from '../../engine/charts/flatten-rows.js';
import { cellText, headingText } from '../../engine/charts/label-text.js';
import {
  addPresentation,
  type ChartFields,
  type ChartRow,
  type ChartRows,
  cellOf,
  describeColumns,
  type ResultColumn,
} from '../../engine/charts/result-column.js';
import { timeOf } from '../../engine/charts/time-text.js';
import { NAME } from '../../engine/http/definitions/definition-routes.js';
import { CALLER_CODES } from '../../engine/http/description/endpoint-operations.js';
import type { NamedQueryEnvelope } from '../../engine/http/envelopes/query-envelope.js';
import { escapeHtml } from '../../engine/http/escape-html.js';
import type { OpenOperation, OperationRequest, Reply } from '../../engine/http/operations/operation.js';
import { DATABASE_ERRORS } from '../../engine/http/problems/http-problem.js';
import { columnFields, createParameterReader } from '../../engine/index.js';
import {
  chosenValues,
  definitionQuery,
  type ResultParts,
  readResult,
  replyWith,
  type SharedResult,
  subtitleOf,
  viewValues,
  warningsOf,
} from './shared-result.js';

interface FeedParts extends ResultParts {
  /** The public URL of the service. Without it, the links of a feed are relative to its address. */
  readonly publicUrl: string | undefined;
  /** The name of the service. */
  readonly service: string;
  readonly pages: () => PagesState;
}

/** `/feed/{name}.atom` is a feed of the rows of a definition: a row that appears for the first time is a new entry for feed readers. */
export function feedOperation(parts: FeedParts): OpenOperation {
  return {
    access: 'open',
    tag: 'Console',
    method: 'get',
    id: 'feed',
    path: '/feed/{feedName}.atom',
    summary: 'Returns the rows of a definition as an Atom feed',
    description: DESCRIPTION,
    parameters: { feedName: { ...NAME, in: 'path' } },
    anyQuery: true,
    limit: 'public',
    statuses: [200, 304],
    otherTypes: ['application/atom+xml'],
    errors: ['query_not_found', 'endpoint_broken', ...CALLER_CODES, ...DATABASE_ERRORS],
    handle: (request) => answerFeed(parts, request),
  };
}

/** The maximum number of entries of a feed. */
const MAX_ENTRIES = 100;
/** A feed has no parameters of a view. */
const readView = createParameterReader({});

async function answerFeed(parts: FeedParts, request: OperationRequest): Promise<Reply> {
  readView({ path: {}, query: viewValues(request.http.originalUrl) });
  const result = await readResult(parts, request, String(request.parameters.feedName));
  const xml = writeFeed(parts, request, result);
  return replyWith(request, result, { body: xml, type: 'application/atom+xml', hash: contentHash(xml) });
}

/** Writes a feed (RFC 4287). */
function writeFeed(parts: FeedParts, { http }: OperationRequest, { answer: stored }: SharedResult): string {
  const { definition } = stored.endpoint;
  const answer = JSON.parse(stored.body.toString()) as NamedQueryEnvelope;
  const fields = addPresentation(answer.fields, columnFields(definition.columns));
  const { entries, all } = entriesOf(fields, flattenRows(answer.fields, answer.data as never));
  const query = definitionQuery(http.originalUrl);
  const name = encodeURIComponent(definition.name);
  const root = parts.publicUrl === undefined ? '../' : `${parts.publicUrl}/`;
  const updated = new Date(answer.dataAsOf ?? stored.computedAt).toISOString();
  // An id must stay the same and differ between services, so it contains the host of the service (RFC 4151).
  const host = parts.publicUrl === undefined ? http.hostname : new URL(parts.publicUrl).hostname;
  const id = `tag:${host},2026:${name}${query}`;
  const title = [definition.summary, subtitleOf(chosenValues(http.originalUrl), stored.endpoint)].filter(Boolean);
  const isCut = answer.truncated || entries.length < all;
  const notes = [
    ...(isCut ? [`Not all rows are entries of this feed: ${entries.length}.`] : []),
    ...warningsOf(stored, answer),
  ];
  const written = entries.map(({ key, subject, column, time, html }) => {
    const page = pageOf(parts.pages(), column, subject) ?? `e/${name}${query}`;
    return [
      '<entry>',
      element('id', `${id}#${encodeURIComponent(key)}`),
      element('title', subject),
      `<link rel="alternate" href="${escapeXml(root + page)}"/>`,
      element('updated', time === null ? updated : new Date(time).toISOString()),
      `<content type="html">${escapeXml(html)}</content>`,
      '</entry>',
    ].join('');
  });
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', id),
    element('title', title.join(' · ')),
    ...(notes.length === 0 ? [] : [element('subtitle', notes.join(' '))]),
    `<author>${element('name', parts.service)}</author>`,
    element('updated', updated),
    `<link rel="alternate" href="${escapeXml(`${root}e/${name}${query}`)}"/>`,
    `<link rel="self" href="${escapeXml(`${root}feed/${name}.atom${query}`)}"/>`,
    ...written,
    '</feed>\n',
  ].join('\n');
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

/** Returns the path of the page about a repository or a person, without the leading slash; undefined if there is no such page. */
function pageOf({ pages }: PagesState, column: ResultColumn | undefined, subject: string): string | undefined {
  if (column === undefined || !(column.isRepo || column.isLogin)) return undefined;
  const [owner = '', repo = ''] = subject.split('/');
  const values: Readonly<Record<string, string>> = column.isRepo ? { owner, repo } : { login: subject };
  const names = Object.keys(values).join();
  const page = pages.find(({ page: { path } }) => placesOf(path).join() === names)?.page;
  return page?.path.slice(1).replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

function placesOf(path: string): string[] {
  return findPlaces(path).places.map(({ name }) => name);
}

interface Entry {
  /** Identifies the row within the feed. It does not depend on amounts, which change. */
  readonly key: string;
  readonly subject: string;
  /** The column of the subject; undefined if the row has no text. */
  readonly column: ResultColumn | undefined;
  /** The time of the row in milliseconds since 1970; null if it has none. */
  readonly time: number | null;
  readonly html: string;
}

/**
 * Returns the entries of rows, and the number of all of them. The subject of a row is its repository, its person, or else its first text. In
 * rows over time, the time is part of the subject, and the newest rows are first.
 */
function entriesOf(fields: ChartFields, rows: ChartRows): { readonly entries: readonly Entry[]; readonly all: number } {
  const columns = describeColumns(fields, rows);
  const texts = columns.filter(({ isNumber, isTime }) => !isNumber && !isTime);
  const column = texts.find(({ isRepo }) => isRepo) ?? texts.find(({ isLogin }) => isLogin) ?? texts[0];
  // Rows with a different repository or person each can contain times, such as the last push, which do not identify them.
  const time = column?.isUnique ? undefined : columns.find(({ isTime }) => isTime);
  const ids = columns.filter(({ name, isNumber }) => isNumber && formatOf({ name }) === 'id');
  const timeIn = (row: ChartRow) => (time === undefined ? null : timeOf(cellOf(row, time.name)));
  const newest = time === undefined ? rows : [...rows].sort((a, b) => (timeIn(b) ?? 0) - (timeIn(a) ?? 0));
  const formats = fields.map((field) => ({ field, format: cellFormat(field, rows, 'en').format }));
  const textIn = (row: ChartRow, one: ResultColumn) =>
    cellText(formats.find(({ field }) => field.name === one.name)?.format(cellOf(row, one.name)) ?? '');
  const keys = new Map<string, number>();
  const entries = newest.slice(0, MAX_ENTRIES).map((row) => {
    const parts = [column, time, ...ids].flatMap((one) => (one === undefined ? [] : [String(cellOf(row, one.name))]));
    const known = keys.get(parts.join()) ?? 0;
    keys.set(parts.join(), known + 1);
    const named = [column, time].flatMap((one) => (one === undefined ? [] : [textIn(row, one)]));
    return {
      key: [...parts, ...(known === 0 ? [] : [`row ${known + 1}`])].join(),
      subject:
        named.length === 0
          ? formats.map(({ field, format }) => format(cellOf(row, field.name))).join(', ')
          : named.join(' · '),
      column: time === undefined ? column : undefined,
      time: timeIn(row),
      html: `<ul>${formats.map(({ field, format }) => listItem(headingText(field), format(cellOf(row, field.name)))).join('')}</ul>`,
    };
  });
  return { entries, all: rows.length };
}

function listItem(heading: string, text: string): string {
  return `<li>${escapeHtml(heading)}: ${escapeHtml(cellText(text))}</li>`;
}

const DESCRIPTION = `The query has the parameters of the definition. The feed has at most ${MAX_ENTRIES} rows, each with all \
columns; in rows over time, those of the newest times. The id of an entry depends on the first text that identifies its row, \
with the time in rows over time and the identifiers of the row. The time of an entry is that \
of its row, or else that of the newest data. The subtitle of the feed contains the notices of the answer, and states whether \
rows are missing or the answer is stale.`;

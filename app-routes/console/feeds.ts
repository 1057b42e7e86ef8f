import { createHash } from 'node:crypto';
import { Feed } from 'feed';
import { withoutInvalid } from '../../console/images/svg-text.js';
import type { PagesState } from '../../console/pages/next-pages.js';
import { findPlaces } from '../../console/pages/page.js';
import { cellFormat } from '../../engine/charts/cell-format.js';
import { flattenRows } from '../../engine/charts/flatten-rows.js';
import { cellText, headingText } from '../../engine/charts/label-text.js';
import {
  type ChartFields,
  type ChartRows,
  cellOf,
  describeColumns,
  type ResultColumn,
  withLooks,
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
  subtitleOf,
  viewValues,
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

async function answerFeed(parts: FeedParts, request: OperationRequest): Promise<Reply> {
  const name = String(request.parameters.feedName);
  readView({ path: {}, query: viewValues(request.http.originalUrl) });
  const result = await readResult(parts, request, name);
  const { endpoint, body, computedAt } = result.answer;
  const answer = JSON.parse(body.toString()) as NamedQueryEnvelope;
  const fields = withLooks(answer.fields, columnFields(endpoint.definition.columns));
  const rows = flattenRows(answer.fields, answer.data as never).slice(0, MAX_ENTRIES);
  const query = definitionQuery(request.http.originalUrl);
  const root = parts.publicUrl === undefined ? '../' : `${parts.publicUrl.replace(/\/$/, '')}/`;
  const page = `e/${encodeURIComponent(name)}${query}`;
  const updated = new Date(answer.dataAsOf ?? computedAt);
  const subtitle = subtitleOf(chosenValues(request.http.originalUrl), endpoint.definition);
  const feed = new Feed({
    id: tagOf(name, query),
    title: [endpoint.definition.summary, subtitle].filter((text) => text !== '').join(' · '),
    description: answer.notices.join(' '),
    link: root + page,
    feedLinks: { atom: `${root}feed/${encodeURIComponent(name)}.atom${query}` },
    updated,
    generator: parts.service,
    copyright: '',
  });
  for (const entry of entriesOf(fields, rows)) {
    const path = pageOf(parts.pages(), entry);
    feed.addItem({
      id: tagOf(name, `${query}#${encodeURIComponent(entry.subject)}`),
      // The package writes titles as HTML.
      title: escapeHtml(cellText(entry.subject)),
      link: root + (path ?? page),
      date: entry.time === null ? updated : new Date(entry.time),
      content: entry.html,
    });
  }
  const xml = withoutInvalid(feed.atom1());
  const hash = createHash('sha256').update(xml).digest('base64url').slice(0, 22);
  return replyWith(request, result, { body: xml, type: 'application/atom+xml', hash });
}

/** Returns the path of the page about a repository or a person, without the leading slash; undefined if there is no such page. */
function pageOf({ pages }: PagesState, { column, subject }: Entry): string | undefined {
  if (column === undefined || !(column.isRepo || column.isLogin)) return undefined;
  const [owner = '', repo = ''] = subject.split('/');
  const values: Readonly<Record<string, string>> = column.isRepo ? { owner, repo } : { login: subject };
  const names = Object.keys(values).join();
  const page = pages.find(
    ({ page: { path } }) =>
      findPlaces(path)
        .places.map(({ name }) => name)
        .join() === names,
  )?.page;
  return page?.path.slice(1).replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

/** A feed has no parameters of a view. */
const readView = createParameterReader({});

interface Entry {
  /** The column of the subject; undefined if all cells together identify the row. */
  readonly column: ResultColumn | undefined;
  readonly subject: string;
  /** Milliseconds since 1970; null if the row has no time. */
  readonly time: number | null;
  readonly html: string;
}

/** Returns an entry per row. Its subject is a repository, a person, or else the first text that identifies the row. */
function entriesOf(fields: ChartFields, rows: ChartRows): Entry[] {
  const columns = describeColumns(fields, rows);
  const unique = columns.filter(({ isUnique }) => isUnique);
  const column =
    unique.find(({ isRepo }) => isRepo) ??
    unique.find(({ isLogin }) => isLogin) ??
    unique.find(({ isNumber }) => !isNumber);
  const time = columns.find(({ isTime }) => isTime);
  const formats = fields.map((field) => ({ field, ...cellFormat(field, rows, 'en') }));
  return rows.map((row) => ({
    column,
    subject: column === undefined ? Object.values(row).join(', ') : String(cellOf(row, column.name)),
    time: time === undefined ? null : timeOf(cellOf(row, time.name)),
    html: `<ul>${formats.map(({ field, format }) => item(headingText(field), format(cellOf(row, field.name)))).join('')}</ul>`,
  }));

  function item(heading: string, text: string): string {
    return `<li>${escapeHtml(heading)}: ${escapeHtml(cellText(text))}</li>`;
  }
}

/** Returns an id that stays the same if the service moves to another host (RFC 4151). */
function tagOf(name: string, rest: string): string {
  return `tag:repo-insight,2026:${name}${rest}`;
}

const DESCRIPTION = `The query has the parameters of the definition. The feed has at most ${MAX_ENTRIES} rows, each with all \
columns. The id of an entry depends on the subject of its row: a repository, a person, or else the first text that identifies \
the row. The time of an entry is the first time in its row, or else the time of the newest data. The subtitle of the feed \
contains the notices of the answer.`;

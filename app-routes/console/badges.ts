import { makeBadge } from 'badge-maker';
import { contentHash } from '../../console/content-hash.js';
import { withoutInvalid } from '../../console/xml-text.js';
import { cellFormat } from '../../engine/charts/cell-format.js';
import { flattenRows } from '../../engine/charts/flatten-rows.js';
import { cellText, columnText, fieldOf } from '../../engine/charts/label-text.js';
import {
  addPresentation,
  type ChartRow,
  type ChartRows,
  cellOf,
  describeColumns,
} from '../../engine/charts/result-column.js';
import { NAME } from '../../engine/http/definitions/definition-routes.js';
import { CALLER_CODES } from '../../engine/http/description/endpoint-operations.js';
import type { NamedQueryEnvelope } from '../../engine/http/envelopes/query-envelope.js';
import type { OpenOperation, OperationRequest, Reply } from '../../engine/http/operations/operation.js';
import { DATABASE_ERRORS } from '../../engine/http/problems/http-problem.js';
import {
  columnFields,
  createParameterReader,
  type EndpointDefinition,
  EngineError,
  type ParameterDefinition,
} from '../../engine/index.js';
import { IMAGE_HEADERS } from './image-headers.js';
import { type ResultParts, readResult, replyWith, viewValues, warningsOf } from './shared-result.js';

/** `/badge/{name}.svg` shows one value of the result of a definition as a badge, for READMEs. */
export function badgeOperation(parts: ResultParts): OpenOperation {
  return {
    access: 'open',
    tag: 'Console',
    method: 'get',
    id: 'badge',
    path: '/badge/{badgeName}.svg',
    summary: 'Shows one value of the result of a definition as a badge',
    description: DESCRIPTION,
    parameters: { badgeName: { ...NAME, in: 'path' }, ...VIEW },
    anyQuery: true,
    limit: 'public',
    statuses: [200, 304],
    otherTypes: ['image/svg+xml'],
    failureType: 'image/svg+xml',
    headers: { 'Content-Security-Policy': 'Allows no script and no request.' },
    errors: ['query_not_found', 'endpoint_broken', ...CALLER_CODES, ...DATABASE_ERRORS],
    handle: (request) => answerBadge(parts, request),
  };
}

async function answerBadge(parts: ResultParts, request: OperationRequest): Promise<Reply> {
  const view = readView({ path: {}, query: viewValues(request.http.originalUrl) });
  const result = await readResult(parts, request, String(request.parameters.badgeName));
  const { endpoint, body } = result.answer;
  const answer = JSON.parse(body.toString()) as NamedQueryEnvelope;
  const { label, message, isKnown } = badgeOf(endpoint.definition, answer, {
    column: textOf(view._column),
    row: textOf(view._row),
    label: textOf(view._label),
  });
  // The warnings do not fit into a badge. The mark states that the page of the definition has them.
  const mark = warningsOf(result.answer, answer).length > 0 ? ' *' : '';
  const svg = drawBadge(label, `${message}${mark}`, isKnown ? 'known' : 'unknown');
  return replyWith(request, result, {
    body: svg,
    type: 'image/svg+xml',
    hash: contentHash(svg),
    headers: IMAGE_HEADERS,
  });
}

interface BadgeView {
  readonly column: string | undefined;
  readonly row: string | undefined;
  readonly label: string | undefined;
}

interface BadgeText {
  readonly label: string;
  readonly message: string;
  readonly isKnown: boolean;
}

/** Selects the value of a badge. Throws `bad_parameter` for a column that the result does not have. */
function badgeOf(
  { columns, chart }: EndpointDefinition,
  { fields: ofAnswer, data, truncated }: NamedQueryEnvelope,
  view: BadgeView,
): BadgeText {
  const fields = addPresentation(ofAnswer, columnFields(columns));
  const rows = flattenRows(fields, data as never);
  const known = describeColumns(fields, rows);
  const ofChart = chart !== undefined && 'value' in chart ? chart.value : undefined;
  const column = view.column ?? ofChart ?? (known.find(({ isMeasure }) => isMeasure) ?? known[0])?.name ?? '';
  requireColumn(known, '_column', column);
  const row = selectRow(rows, known, view.row);
  const field = fieldOf(fields, column);
  const label = cellText(view.label ?? columnText(field), MAX_TEXT);
  if (row === undefined) return { label, message: truncated ? 'not in the first rows' : 'no value', isKnown: false };
  const cell = cellOf(row, column);
  const { isNumber, format } = cellFormat(field, [row], 'en');
  const text = cellText(format(cell), MAX_TEXT);
  const hasUnit = isNumber && cell !== null && field.unit !== undefined;
  return { label, message: hasUnit ? `${text} ${field.unit}` : text, isKnown: cell !== null };
}

/** Selects the row of `column:value`, or the first one. Undefined without such a row. Throws `bad_parameter`. */
function selectRow(rows: ChartRows, known: Named, wanted: string | undefined): ChartRow | undefined {
  if (wanted === undefined) return rows[0];
  const colon = wanted.indexOf(':');
  requireColumn(known, '_row', colon < 0 ? '' : wanted.slice(0, colon));
  return rows.find((row) => {
    const cell = cellOf(row, wanted.slice(0, colon));
    return cell !== null && String(cell) === wanted.slice(colon + 1);
  });
}

type Named = readonly { readonly name: string }[];

function requireColumn(known: Named, parameter: string, column: string): void {
  if (known.some(({ name }) => name === column)) return;
  const expected = `a column of the result${parameter === '_row' ? ', a colon and a value' : ''}: ${known.map(({ name }) => name).join(', ')}`;
  const message = `${parameter} must name ${expected}, got ${JSON.stringify(column)}`;
  throw new EngineError('bad_parameter', message, { parameters: [{ parameter, expected, got: column, message }] });
}

const COLORS = { known: '#2f5bd7', unknown: '#6b7280', failed: '#b42318' } as const;

export function drawBadge(label: string, message: string, kind: keyof typeof COLORS): string {
  // The package escapes markup, but not characters that are invalid in XML.
  return withoutInvalid(makeBadge({ label, message, color: COLORS[kind], style: 'flat' }));
}

const MAX_TEXT = 60;

const VIEW = {
  _column: {
    in: 'query',
    type: 'string',
    maxLength: 64,
    description: 'The column of the value. Without it, the value of the chart, or else the first measured number.',
  },
  _row: {
    in: 'query',
    type: 'string',
    maxLength: 200,
    description: 'The row, as `column:value`. Without it, the first row.',
  },
  _label: {
    in: 'query',
    type: 'string',
    maxLength: MAX_TEXT,
    description: 'The text on the left. Without it, the label of the column.',
  },
} as const satisfies Readonly<Record<string, ParameterDefinition>>;

const readView = createParameterReader(VIEW);

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const DESCRIPTION = `The query has the parameters of the definition, and those of the badge, which begin with \`_\`. A \
missing value is shown as the text that its column declares. A star after the value states that the answer has notices, \
for example about missing events, is stale, or comes from an earlier version of its definition. A failure is a badge with the status of the failure.`;

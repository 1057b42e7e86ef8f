import { createHash } from 'node:crypto';
import { makeBadge } from 'badge-maker';
import { flattenRows } from '../../engine/charts/flatten-rows.js';
import { cellText, columnText, fieldOf, quantityText } from '../../engine/charts/label-text.js';
import { cellOf, describeColumns, withLooks } from '../../engine/charts/result-column.js';
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
import { type ResultParts, readResult, replyWith, viewValues } from './shared-result.js';

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
  const badge = badgeOf(endpoint.definition, answer, {
    column: textOf(view._column),
    row: textOf(view._row),
    label: textOf(view._label),
  });
  const svg = drawBadge(badge.label, badge.message, badge.isKnown ? 'known' : 'unknown');
  const hash = createHash('sha256').update(svg).digest('base64url').slice(0, 22);
  return replyWith(request, result, { body: svg, type: 'image/svg+xml', hash, headers: IMAGE_HEADERS });
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
  { fields: ofAnswer, data, notices, truncated }: NamedQueryEnvelope,
  view: BadgeView,
): BadgeText {
  const fields = withLooks(ofAnswer, columnFields(columns));
  const rows = flattenRows(fields, data as never);
  const known = describeColumns(fields, rows);
  const ofChart = chart !== undefined && 'value' in chart ? chart.value : undefined;
  const column = view.column ?? ofChart ?? (known.find(({ isMeasure }) => isMeasure) ?? known[0])?.name ?? '';
  requireColumn(known, '_column', column);
  const [, key, wanted] = /^([^:]*):(.*)$/s.exec(view.row ?? '') ?? [];
  if (view.row !== undefined) requireColumn(known, '_row', key ?? view.row);
  const row = key === undefined ? rows[0] : rows.find((one) => String(cellOf(one, key)) === wanted);
  const field = fieldOf(fields, column);
  const label = view.label ?? columnText(field);
  if (row === undefined) return { label, message: truncated ? 'not in the first rows' : 'no value', isKnown: false };
  const cell = cellOf(row, column);
  const isNumber = known.find(({ name }) => name === column)?.isNumber;
  const text = isNumber || cell === null ? quantityText(cell, field, 'en') : cellText(cell, MAX_TEXT);
  // The notices do not fit into a badge. The mark states that the page of the definition has them.
  return { label, message: notices.length > 0 ? `${text} *` : text, isKnown: cell !== null };
}

function requireColumn(known: readonly { readonly name: string }[], parameter: string, column: string): void {
  if (known.some(({ name }) => name === column)) return;
  const expected = `a column of the result: ${known.map(({ name }) => name).join(', ')}`;
  const message = `${parameter} must name ${expected}, got ${JSON.stringify(column)}`;
  throw new EngineError('bad_parameter', message, { parameters: [{ parameter, expected, got: column, message }] });
}

const COLORS = { known: '#2f5bd7', unknown: '#6b7280', failed: '#b42318' } as const;

export function drawBadge(label: string, message: string, kind: keyof typeof COLORS): string {
  return makeBadge({ label, message, color: COLORS[kind], style: 'flat' });
}

const MAX_TEXT = 60;

const VIEW = {
  _column: {
    in: 'query',
    type: 'string',
    maxLength: 64,
    description: 'The column of the value. Without it, the value of the chart, or the first column with amounts.',
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
for example about missing events. A failure is a badge with the status of the failure.`;

import type { ImageJob, ImageLook } from '../../console/images/image-job.js';
import type { StoredImages } from '../../console/images/stored-images.js';
import { CHART_NAMES, type ChartName } from '../../engine/charts/chart.js';
import { withTitle } from '../../engine/charts/fitting-charts.js';
import { cellText, choiceText, columnText } from '../../engine/charts/label-text.js';
import type { Theme } from '../../engine/charts/look.js';
import { type Authentication, admit, requestingClientOf } from '../../engine/http/access/authentication.js';
import type { AnswerCache } from '../../engine/http/cache/answer-cache.js';
import { checkedHeaders } from '../../engine/http/cache/cache-headers.js';
import { acceptsCached, isUnchanged } from '../../engine/http/cache/send-answer.js';
import { NAME, namedRequest } from '../../engine/http/definitions/definition-routes.js';
import { CALLER_CODES } from '../../engine/http/description/endpoint-operations.js';
import { clientAddress } from '../../engine/http/limits/client-address.js';
import type { OpenOperation, OperationRequest, Reply } from '../../engine/http/operations/operation.js';
import { DATABASE_ERRORS } from '../../engine/http/problems/http-problem.js';
import { recordOf } from '../../engine/http/request-record.js';
import { queryText, readQuery } from '../../engine/http/requests/read-request.js';
import {
  columnFields,
  createParameterReader,
  type Endpoint,
  type Engine,
  type ParameterDefinition,
} from '../../engine/index.js';
import { IMAGE_HEADERS, IMAGE_TYPES, type ImageFormat } from './image-headers.js';

/** `/e/{name}.svg` and `/e/{name}.png` show the result of a definition as an image, for places that can only show images. */
export function imageOperations(
  engine: Engine,
  cache: Pick<AnswerCache, 'serve'>,
  images: Pick<StoredImages, 'get'>,
  authentication: Authentication,
): OpenOperation[] {
  return (['svg', 'png'] as const).map((format) => ({
    access: 'open',
    tag: 'Console',
    method: 'get',
    id: `endpoint-${format}`,
    path: `/e/{imageName}.${format}`,
    summary: `Shows the result of a definition as an image (${format.toUpperCase()})`,
    description: DESCRIPTION,
    parameters: { imageName: { ...NAME, in: 'path' }, ...VIEW },
    anyQuery: true,
    limit: 'public',
    statuses: [200, 304],
    otherTypes: [IMAGE_TYPES[format]],
    failureType: IMAGE_TYPES[format],
    headers: { 'Content-Security-Policy': 'Allows no script and no request.' },
    errors: ['query_not_found', 'endpoint_broken', ...CALLER_CODES, ...DATABASE_ERRORS],
    handle: (request) => answerImage({ engine, cache, images, authentication }, request, format),
  }));
}

interface ImageParts {
  readonly engine: Engine;
  readonly cache: Pick<AnswerCache, 'serve'>;
  readonly images: Pick<StoredImages, 'get'>;
  readonly authentication: Authentication;
}

async function answerImage(
  { engine, cache, images, authentication }: ImageParts,
  { parameters, http, signal, response }: OperationRequest,
  format: ImageFormat,
): Promise<Reply> {
  const name = String(parameters.imageName);
  const view = readImageView(http.originalUrl);
  const target = targetOf(name, http.originalUrl);
  const wanted = await admit(
    namedRequest(engine, name, target),
    requestingClientOf(authentication, http, response),
    (endpoint, raw) => engine.select(endpoint, raw, target),
  );
  const isNewestRequired = !acceptsCached(http.headers);
  const { answer, outcome } = await cache.serve({
    ...wanted,
    isNewestRequired,
    signal,
    requestId: recordOf(response).id,
  });
  const { endpoint, hash } = answer;
  const subtitle = subtitleOf(target);
  const warnings = warningsOf(endpoint);
  const { summary: title, chart: declared } = endpoint.definition;
  const columns = columnFields(endpoint.definition.columns);
  const chart = declared === undefined ? null : withTitle(declared, title);
  const { chartName, ...look } = view;
  const key = JSON.stringify([name, title, subtitle, warnings, columns, chart, hash, format, view]);
  const job = (): ImageJob => {
    const content = { kind: 'result', title, subtitle, body: answer.body, columns, chart, warnings } as const;
    return { format, look, content: { ...content, ...(chartName !== undefined && { chartName }) } };
  };
  const image = await images.get(key, job, clientAddress(http));
  const isStale = outcome.kind === 'stale';
  const etag = `W/"${image.hash}"`;
  return {
    ...(!isStale && isUnchanged(http.headers, etag)
      ? { status: 304 }
      : { body: image.bytes, type: IMAGE_TYPES[format] }),
    headers: {
      ...IMAGE_HEADERS,
      // The next commit can change a stale image without notice, so it must not be cached.
      ...(isStale ? { 'Cache-Control': 'no-store' } : { ...checkedHeaders(endpoint), ETag: etag }),
    },
  };
}

export interface ImageView extends ImageLook {
  readonly chartName?: ChartName;
}

const [MIN_WIDTH, MAX_WIDTH, DEFAULT_WIDTH] = [240, 1600, 800];
const [MIN_HEIGHT, MAX_HEIGHT] = [160, 1600];

/** The parameters of an image. The names of these parameters begin with `_`, so that they cannot collide with parameters of definitions. */
const VIEW = {
  _chart: {
    in: 'query',
    type: 'string',
    enum: CHART_NAMES,
    description: 'The kind of the chart. Without it, or if it does not fit the result, the chart of the endpoint page.',
  },
  _theme: { in: 'query', type: 'string', enum: ['light', 'dark'], default: 'light', description: 'The colours.' },
  _width: {
    in: 'query',
    type: 'integer',
    minimum: MIN_WIDTH,
    maximum: MAX_WIDTH,
    default: DEFAULT_WIDTH,
    description: 'The width in pixels.',
  },
  _height: {
    in: 'query',
    type: 'integer',
    minimum: MIN_HEIGHT,
    maximum: MAX_HEIGHT,
    description: 'The height in pixels. Without it, the height that fits the chart.',
  },
} as const satisfies Readonly<Record<string, ParameterDefinition>>;

const readView = createParameterReader(VIEW);

/** Reads the look of an image from the query of a request. Throws `bad_parameter`. */
export function readImageView(target: string): ImageView {
  const query = Object.fromEntries(Object.entries(readQuery(target)).filter(([name]) => isOfView(name)));
  const { _chart, _theme, _width, _height } = readView({ path: {}, query });
  return {
    theme: _theme as Theme,
    width: Number(_width),
    ...(typeof _height === 'number' && { height: _height }),
    ...(typeof _chart === 'string' && { chartName: _chart as ChartName }),
  };
}

function isOfView(name: string): boolean {
  return name.startsWith('_');
}

/** Returns the target of `/q` for the rows in an image, so that the image and `/q` share one cached answer. */
function targetOf(name: string, target: string): string {
  const pairs = queryText(target)
    .split('&')
    .filter((pair) => pair !== '' && !isOfView(pair));
  return `/q/${encodeURIComponent(name)}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
}

/** Returns the parameter values that the caller chose, as a subtitle. Without it, two images of a definition would look the same. */
function subtitleOf(target: string): string {
  return Object.entries(readQuery(target))
    .map(([name, value]) => `${columnText({ name })}: ${cellText([value].flat().map(choiceText).join(', '))}`)
    .join(' · ');
}

function warningsOf({ outdatedSince }: Endpoint): string[] {
  return outdatedSince === undefined
    ? []
    : [`Outdated: the definition has problems since ${outdatedSince.toISOString()}.`];
}

const DESCRIPTION = `The query has the parameters of the definition, and those of the image, which begin with \`_\`. \
The age of the data, truncation and notices are part of the image. A failure is an image with its message, with the \
status of the failure. An image is drawn when its answer changes; \`ETag\` identifies it.`;

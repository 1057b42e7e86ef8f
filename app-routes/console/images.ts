import type { ImageJob, ImageLook } from '../../console/images/image-job.js';
import type { StoredImages } from '../../console/images/stored-images.js';
import { CHART_VIEWS, type ChartView } from '../../engine/charts/chart-views.js';
import { withTitle } from '../../engine/charts/fitting-charts.js';
import type { Theme } from '../../engine/charts/look.js';
import { NAME } from '../../engine/http/definitions/definition-routes.js';
import { CALLER_CODES } from '../../engine/http/description/endpoint-operations.js';
import { clientAddress } from '../../engine/http/limits/client-address.js';
import type { OpenOperation, OperationRequest, Reply } from '../../engine/http/operations/operation.js';
import { DATABASE_ERRORS } from '../../engine/http/problems/http-problem.js';
import { columnFields, createParameterReader, type ParameterDefinition } from '../../engine/index.js';
import { IMAGE_HEADERS, IMAGE_TYPES, type ImageFormat } from './image-headers.js';
import {
  chosenValues,
  outdatedWarnings,
  type ResultParts,
  readResult,
  replyWith,
  subtitleOf,
  viewValues,
} from './shared-result.js';

/** `/e/{name}.svg` and `/e/{name}.png` show the result of a definition as an image, for places that can only show images. */
export function imageOperations(parts: ImageParts): OpenOperation[] {
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
    handle: (request) => answerImage(parts, request, format),
  }));
}

interface ImageParts extends ResultParts {
  readonly images: Pick<StoredImages, 'get'>;
}

async function answerImage(parts: ImageParts, request: OperationRequest, format: ImageFormat): Promise<Reply> {
  const { parameters, http } = request;
  const name = String(parameters.imageName);
  const view = readImageView(http.originalUrl);
  const result = await readResult(parts, request, name);
  const { endpoint, hash, body } = result.answer;
  const subtitle = subtitleOf(chosenValues(http.originalUrl), endpoint);
  const warnings = outdatedWarnings(endpoint);
  const { summary: title, chart: declared } = endpoint.definition;
  const columns = columnFields(endpoint.definition.columns);
  const chart = declared === undefined ? null : withTitle(declared, title);
  const { chartView, ...look } = view;
  const key = JSON.stringify([name, title, subtitle, warnings, columns, chart, hash, format, view]);
  const job = (): ImageJob => {
    const content = { kind: 'result', title, subtitle, body, columns, chart, warnings } as const;
    return { format, look, content: { ...content, ...(chartView !== undefined && { chartView }) } };
  };
  const image = await parts.images.get(key, job, clientAddress(http));
  return replyWith(request, result, {
    body: image.bytes,
    type: IMAGE_TYPES[format],
    hash: image.hash,
    headers: IMAGE_HEADERS,
  });
}

export interface ImageView extends ImageLook {
  readonly chartView?: ChartView;
}

const [MIN_WIDTH, MAX_WIDTH, DEFAULT_WIDTH] = [240, 1600, 800];
const [MIN_HEIGHT, MAX_HEIGHT] = [160, 1600];

/** The parameters of an image. The names of these parameters begin with `_`, so that they cannot collide with parameters of definitions. */
const VIEW = {
  _chart: {
    in: 'query',
    type: 'string',
    enum: CHART_VIEWS,
    description: 'The view of the chart. Without it, or if it does not fit the result, the chart of the endpoint page.',
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
  const { _chart, _theme, _width, _height } = readView({ path: {}, query: viewValues(target) });
  return {
    theme: _theme as Theme,
    width: Number(_width),
    ...(typeof _height === 'number' && { height: _height }),
    ...(typeof _chart === 'string' && { chartView: _chart as ChartView }),
  };
}

const DESCRIPTION = `The query has the parameters of the definition, and those of the image, which begin with \`_\`. \
The age of the data, truncation and notices are part of the image. A failure is an image with its message, with the \
status of the failure. An image is drawn when its answer changes; \`ETag\` identifies it.`;

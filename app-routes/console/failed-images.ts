import { STATUS_CODES } from 'node:http';
import type { ErrorRequestHandler, Response } from 'express';
import type { ImageLook } from '../../console/images/image-job.js';
import type { StoredImages } from '../../console/images/stored-images.js';
import { clientAddress } from '../../engine/http/limits/client-address.js';
import { isRead } from '../../engine/http/operations/allowed-methods.js';
import { describeFailure, recordFailure } from '../../engine/http/problems/error-answers.js';
import { drawBadge } from './badges.js';
import { IMAGE_HEADERS, IMAGE_TYPES, imageFormatOf, isBadge } from './image-headers.js';
import { readImageView } from './images.js';

/**
 * If a GET request for an image fails, answers with an image that contains the error message, because a page cannot show another response
 * in its place. If this image also fails, or for other methods, the next handler answers.
 */
export function failedImages(images: Pick<StoredImages, 'get'>): ErrorRequestHandler {
  return async (thrown: unknown, request, response, next) => {
    const isRequested = isRead(request.method) && !response.headersSent;
    if (isRequested && isBadge(request.path)) return sendFailedBadge(response, thrown);
    const format = isRequested ? imageFormatOf(request.path) : undefined;
    if (format === undefined) return next(thrown);
    const { status, message: detail, headers } = describeFailure(thrown);
    const title = `${status} ${STATUS_CODES[status] ?? 'Failure'}`;
    const look = lookOf(request.originalUrl);
    // Failed requests are not rate-limited, so they must be cheap: all of them get the same few images. `Retry-After` contains the seconds.
    const message = status === 429 ? 'The limit of requests is exceeded. Try again later.' : detail;
    try {
      const content = { kind: 'message', title, message } as const;
      const key = JSON.stringify([format, look, content]);
      const { bytes } = await images.get(key, () => ({ format, look, content }), clientAddress(request));
      recordFailure(response, thrown);
      response.status(status).set({ ...headers, ...IMAGE_HEADERS, 'Cache-Control': 'no-store' });
      response.type(IMAGE_TYPES[format]).send(bytes);
    } catch {
      next(thrown);
    }
  };
}

/** A failed badge shows only the text of the status. */
function sendFailedBadge(response: Response, thrown: unknown): void {
  const { status, headers } = describeFailure(thrown);
  recordFailure(response, thrown);
  response.status(status).set({ ...headers, ...IMAGE_HEADERS, 'Cache-Control': 'no-store' });
  response.type(IMAGE_TYPES.svg).send(drawBadge(String(status), STATUS_CODES[status] ?? 'Failure', 'failed'));
}

const DEFAULT_LOOK: ImageLook = { theme: 'light', width: 800 };
/** The widths of images of failures. There are only a few, so that the images can be cached. */
const WIDTHS = [1600, 1200, 800, 400, 240];

/** Returns the requested look if it is valid: the theme, and the largest width of `WIDTHS` that fits. The height depends on the message. */
function lookOf(target: string): ImageLook {
  try {
    const view = readImageView(target);
    return { theme: view.theme, width: WIDTHS.find((width) => width <= view.width) ?? DEFAULT_LOOK.width };
  } catch {
    return DEFAULT_LOOK;
  }
}

export const IMAGE_TYPES = { svg: 'image/svg+xml', png: 'image/png' } as const;

export type ImageFormat = keyof typeof IMAGE_TYPES;

/**
 * The headers allow pages of other sites to show the images. An SVG file could contain scripts and references to other files. Ours do not,
 * and the policy would block them if a browser opens the image as a page.
 */
export const IMAGE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;

/** Whether a path is that of a badge. */
export function isBadge(path: string): boolean {
  return /^\/badge\/[^/]+\.svg\/?$/.test(path);
}

/** Returns the format of the image at a path; undefined for other paths. */
export function imageFormatOf(path: string): ImageFormat | undefined {
  return /^\/e\/[^/]+\.(svg|png)\/?$/.exec(path)?.[1] as ImageFormat | undefined;
}

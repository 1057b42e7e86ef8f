import { readdirSync } from 'node:fs';
import express, { Router } from 'express';

/** The encodings that the build wrote next to each file, with the best one first. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  webmanifest: 'application/manifest+json',
};
/** The build adds a hash of its content to the name of a file. Other files can change with the next version. */
const HAS_HASH = /-[\w-]{8}\.\w+$/;

/**
 * Serves the files of the console. The build compressed them, so that no request does. Unknown names get 404. The build keeps the
 * files of the build before it.
 */
export function serveAssets(folder: string): Router {
  const files = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }));
  const router = Router({ caseSensitive: true });
  router.use((request, response, next) => {
    const name = request.path.slice(1);
    const encoded = Object.entries(ENCODINGS).filter(([, ending]) => files.has(name + ending));
    if (!files.has(name) || isEncoded(name)) return void response.status(404).type('text').send('Not found.\n');
    response.set('Cache-Control', HAS_HASH.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache');
    if (encoded.length === 0) return next();
    response.vary('Accept-Encoding');
    const [chosen, ending] = encoded.find(([encoding]) => request.acceptsEncodings(encoding) === encoding) ?? [];
    if (chosen === undefined) return next();
    response.set('Content-Encoding', chosen).type(CONTENT_TYPES[name.split('.').at(-1) ?? ''] ?? 'bin');
    request.url = `/${name}${ending}`;
    next();
  });
  router.use(express.static(folder, { cacheControl: false, index: false, redirect: false }));
  return router;
}

function isEncoded(name: string): boolean {
  return Object.values(ENCODINGS).some((ending) => name.endsWith(ending));
}

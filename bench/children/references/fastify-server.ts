/**
 * A Fastify server with a cache of row objects in memory. Fastify serializes each answer with a schema, which is its fastest method. The
 * argument is a file with the answers by path.
 */
import { fastify } from 'fastify';
import { readAnswers } from './stored-answers.js';

const cache = new Map(
  [...(await readAnswers(process.argv[2] ?? ''))].map(([path, { body }]) => [
    path,
    JSON.parse(body.toString()) as unknown,
  ]),
);
const app = fastify();
for (const [path, value] of cache) {
  app.get(new URL(path, 'http://localhost').pathname, { schema: { response: { 200: schemaOf(value) } } }, (request) =>
    cache.get(request.url),
  );
}
const url = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${url}\n`);
process.once('SIGTERM', () => process.exit());

/** Returns the JSON Schema of a value. The items of an array have the schema of the first item. */
function schemaOf(value: unknown): object {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) return { type: 'array', items: value.length === 0 ? {} : schemaOf(value[0]) };
  if (typeof value === 'object') {
    const properties = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, schemaOf(item)]));
    return { type: 'object', properties };
  }
  return { type: Number.isInteger(value) ? 'integer' : typeof value };
}

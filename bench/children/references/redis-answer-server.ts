/**
 * A minimal server for cached answers in Redis, as a reference: node:http sends the bytes that ioredis reads with one GET. The arguments
 * are the URL of Redis and a file with the answers by path.
 */
import { Redis } from 'ioredis';
import { readAnswers, serve } from './stored-answers.js';

const [url = '', file = ''] = process.argv.slice(2);
const redis = new Redis(url);
const answers = await readAnswers(file);
await Promise.all([...answers].map(([path, { body }]) => redis.set(path, body)));

serve(async (request, response) => {
  const path = request.url ?? '';
  const body = await redis.getBuffer(path);
  const answer = answers.get(path);
  if (answer === undefined || body === null) throw new Error(`no answer for ${path}`);
  response.writeHead(answer.status, answer.headers);
  response.end(body);
});

/**
 * A minimal server for stored answers, as a reference: node:http sends the bytes and headers of an answer of the service. The argument is a
 * file with the answers by path.
 */
import { readAnswers, serve } from './stored-answers.js';

const answers = await readAnswers(process.argv[2] ?? '');

serve((request, response) => {
  const answer = answers.get(request.url ?? '');
  if (answer === undefined) throw new Error(`no answer for ${request.url}`);
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
});

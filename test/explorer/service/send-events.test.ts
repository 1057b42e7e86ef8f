import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import compression from 'compression';
import express from 'express';
import { sendEvents } from '../../../engine/http/operations/send-events.js';
import { recordOf } from '../../../engine/http/request-record.js';
import { rawRequest } from '../../service/raw-request.js';
import { eventually } from '../../services/eventually.js';

describe('server-sent events', () => {
  const failures: unknown[] = [];
  let server: Server;
  let url: string;
  before(async () => {
    const app = express().use(compression(), (_request, response, next) => {
      response.once('close', () => failures.push(recordOf(response).failure));
      next();
    });
    app.get('/silent', (request, response) => sendEvents(request, response, silentUntilAbort(response), 5));
    app.get('/fails', (request, response) => sendEvents(request, response, failing(), 60_000));
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('keep the connection alive with comments while no event occurs', async () => {
    const answer = await fetch(`${url}/silent`);
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.endsWith(':\n\n:\n\n:\n\n')) text += (await reader?.read())?.value ?? 'the stream ended';
    expect(text).to.match(/^retry: 2000\n\nevent: first\ndata: \{"text":"a\\nb"\}\n\n(:\n\n)+$/);
    await reader?.cancel();
  });

  it('end if a later event fails, and the log contains the cause', async () => {
    const answer = await rawRequest(url, 'GET /fails HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(answer)
      .to.contain('event: first\ndata: 1\n\n')
      .and.match(/\r\n0\r\n\r\n$/);
    await eventually(() => failures.some((failure) => String(failure) === 'Error: a later failure'));
  });
});

async function* silentUntilAbort(response: express.Response) {
  yield { name: 'first', data: { text: 'a\nb' } };
  await once(response, 'close');
}

async function* failing() {
  yield { name: 'first', data: 1 };
  throw new Error('a later failure');
}

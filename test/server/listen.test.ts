import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { listen } from '../../server/listen.js';
import { readSettings } from '../../server/settings/read-settings.js';

describe('listening', () => {
  it('ends a client that does not send its headers soon after the time for them', async () => {
    const settings = readSettings({ PORT: '0', HEADERS_TIMEOUT_MS: '100', REQUEST_TIMEOUT_MS: '200' });
    const { url, close } = await listen((_request, response) => response.end(), settings);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    const started = performance.now();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
    expect(await text(socket)).to.match(/^HTTP\/1.1 408 /);
    // Node by itself looks every 30 seconds only.
    expect(performance.now() - started).to.be.below(20_000);
    await close();
  });
});

import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends bytes and returns everything that the server sends until it closes the connection. */
export async function rawRequest(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  let said = '';
  socket.on('data', (data) => {
    said += data.toString('latin1');
  });
  socket.write(bytes);
  await once(socket, 'close');
  return said;
}

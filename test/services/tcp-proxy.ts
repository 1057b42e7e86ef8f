import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy between a client and a port of this machine that simulates faults of a network. */
export interface TcpProxy {
  readonly port: number;
  /** The number of open connections. */
  readonly connections: number;
  /** Closes all connections abruptly. */
  cut(): void;
  /** Until `resume` is called, forwards no data, without notifying either side. New connections are accepted but get no answer. */
  stall(): void;
  resume(): void;
  close(): Promise<void>;
}

/** Starts a proxy on a free port, or on the given one. */
export async function startTcpProxy(target: number, port = 0): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isStalled = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const onward = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, onward],
      [onward, client],
    ] as const) {
      keep(from);
      from.on('data', (data) => to.write(data));
      from.on('close', () => to.destroy());
      if (isStalled) from.pause();
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return sockets.size / 2;
    },
    cut,
    stall() {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      isStalled = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

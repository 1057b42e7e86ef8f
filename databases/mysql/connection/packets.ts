import type { Connection } from 'mysql2';

/** What a connection has received, which mysql2 does not tell. */
export interface Packets {
  /** Bytes so far. */
  readonly bytes: number;
  /** How many warnings the result had whose last packet came just now; the server says it there, so asking costs nothing. */
  warnings(): number;
}

/** Watches what comes on a connection: once for all, as a method of each command's own would cost as much as a small query. */
export function watchPackets(connection: Connection): Packets {
  const raw = connection as unknown as RawConnection;
  const { handlePacket } = raw;
  let last: Packet | undefined;
  const packets = { bytes: 0, warnings: () => (last?.isEOF() ? last.eofWarningCount() : 0) };
  raw.handlePacket = (packet) => {
    if (packet !== undefined) {
      last = packet;
      packets.bytes += packet.length();
    }
    handlePacket.call(raw, packet);
  };
  return packets;
}

/** What mysql2 calls with every packet that comes, and without one when a command begins. */
interface RawConnection {
  handlePacket(packet?: Packet): void;
}

interface Packet {
  length(): number;
  isEOF(): boolean;
  eofWarningCount(): number;
}

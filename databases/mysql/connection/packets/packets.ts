import type { Connection } from 'mysql2';
import { readTimesFaster, type TimesPacket } from './packet-times.js';

/** Facts about the received packets of a connection. mysql2 does not expose them. */
export interface Packets {
  /** The bytes received so far. */
  readonly bytes: number;
  /**
   * The number of warnings in the last packet. The number is only valid directly after the end of a result. Reading it
   * needs no round trip to the server.
   */
  warnings(): number;
}

/**
 * Counts the packets of a connection. The function wraps the connection once, because wrapping each command would cost
 * as much time as a small query.
 */
export function watchPackets(connection: Connection): Packets {
  const raw = connection as unknown as RawConnection;
  const { handlePacket } = raw;
  let last: Packet | undefined;
  const packets = { bytes: 0, warnings: () => (last?.isEOF() ? last.eofWarningCount() : 0) };
  raw.handlePacket = (packet) => {
    if (packet !== undefined) {
      if (last === undefined) readTimesFaster(packet);
      last = packet;
      packets.bytes += packet.length();
    }
    handlePacket.call(raw, packet);
  };
  return packets;
}

/** The internal method of mysql2 for each received packet. It is called without a packet when a command starts. */
interface RawConnection {
  handlePacket(packet?: Packet): void;
}

interface Packet extends TimesPacket {
  length(): number;
  isEOF(): boolean;
  eofWarningCount(): number;
}

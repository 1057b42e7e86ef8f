import type { Connection } from 'mysql2';

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

/** The part of a packet of mysql2 that reads times as text. */
interface TimesPacket {
  buffer: Buffer;
  offset: number;
  readDateTimeString(decimals: number, separator: string | null, columnType: number | null): string;
}

/**
 * Makes mysql2 read dates and times of the binary protocol in less time. Its own function pads and joins six numbers, which takes
 * longer than reading all other cells of a usual row. Times with a fraction, and zero dates, are left to it.
 */
function readTimesFaster(packet: TimesPacket): void {
  const prototype = Object.getPrototypeOf(packet) as TimesPacket;
  if (prototypes.has(prototype)) return;
  prototypes.add(prototype);
  const { readDateTimeString } = prototype;
  prototype.readDateTimeString = function (this: TimesPacket, decimals, separator, columnType) {
    const { buffer, offset } = this;
    if (buffer[offset] !== DATE_AND_TIME || (separator !== null && separator !== ' ')) {
      return readDateTimeString.call(this, decimals, separator, columnType);
    }
    this.offset = offset + 1 + DATE_AND_TIME;
    const [hour, minute, second] = [byteAt(buffer, offset + 5), byteAt(buffer, offset + 6), byteAt(buffer, offset + 7)];
    return `${dateAt(buffer, offset + 1)}${MINUTES[60 * hour + minute]}${TWO_DIGITS[second]}`;
  };
}

/** The classes of packets that have the function. mysql2 does not export its class. */
const prototypes = new WeakSet<TimesPacket>();

/** The length of a value with a date and a time without a fraction. */
const DATE_AND_TIME = 7;

const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));
/** The text of each minute of a day, with the characters before and after it. */
const MINUTES = Array.from({ length: 24 * 60 }, (_, minute) => {
  return ` ${TWO_DIGITS[Math.floor(minute / 60)]}:${TWO_DIGITS[minute % 60]}:`;
});

const dates = new Map<number, string>();
/** Most results have few different days. */
const MAX_DATES = 20_000;

function dateAt(buffer: Buffer, offset: number): string {
  const [year, month, day] = [buffer.readUInt16LE(offset), byteAt(buffer, offset + 2), byteAt(buffer, offset + 3)];
  const key = (year * 100 + month) * 100 + day;
  const known = dates.get(key);
  if (known !== undefined) return known;
  const text = `${String(year).padStart(4, '0')}-${TWO_DIGITS[month]}-${TWO_DIGITS[day]}`;
  if (dates.size >= MAX_DATES) dates.clear();
  dates.set(key, text);
  return text;
}

function byteAt(buffer: Buffer, offset: number): number {
  return buffer[offset] as number;
}

import type { Connection } from 'mysql2';

/** Facts about the received packets of a connection, which mysql2 does not expose publicly. */
export interface Packets {
  /** The bytes received so far. */
  readonly bytes: number;
  /**
   * Returns the number of warnings that the last packet states. The number is valid only directly after the end of a
   * result, and needs no round trip to the server.
   */
  warnings(): number;
}

/**
 * Observes the packets of a connection by wrapping a private function of mysql2. If the installed version of mysql2 has other private
 * functions, `bytes` stays 0. The connection is wrapped once, because wrapping each command would take as long as a small query.
 */
export function watchPackets(connection: Connection): Packets {
  const raw = connection as unknown as RawConnection;
  const { handlePacket } = raw;
  let isSupported: boolean | undefined;
  let last: Packet | undefined;
  const packets = { bytes: 0, warnings: () => (last?.isEOF() ? last.eofWarningCount() : 0) };
  if (typeof handlePacket !== 'function') return packets;
  raw.handlePacket = (packet) => {
    if (packet !== undefined) {
      isSupported ??= isReadable(packet);
      if (isSupported) {
        if (last === undefined) readTimesFaster(packet);
        last = packet;
        packets.bytes += packet.length();
      }
    }
    handlePacket.call(raw, packet);
  };
  return packets;
}

function isReadable(packet: Partial<Packet>): boolean {
  return [packet.length, packet.isEOF, packet.eofWarningCount].every((method) => typeof method === 'function');
}

/** A connection with the internal method that mysql2 calls for each received packet, and without a packet when a command starts. */
interface RawConnection {
  handlePacket(packet?: Packet): void;
}

interface Packet extends TimesPacket {
  length(): number;
  isEOF(): boolean;
  eofWarningCount(): number;
}

/** The part of a mysql2 packet class that reads times as text. */
interface TimesPacket {
  buffer: Buffer;
  offset: number;
  readDateTimeString(decimals: number, separator: string | null, columnType: number | null): string;
}

/**
 * Replaces the function of mysql2 that reads dates and times of the binary protocol by a faster one. The original pads and joins six
 * numbers, which takes longer than reading all other cells of a typical row. The original still reads times with a fraction and zero dates.
 */
function readTimesFaster(packet: TimesPacket): void {
  const prototype = Object.getPrototypeOf(packet) as TimesPacket;
  if (prototypes.has(prototype)) return;
  prototypes.add(prototype);
  const { readDateTimeString } = prototype;
  const readFaster: TimesPacket['readDateTimeString'] = function (this: TimesPacket, decimals, separator, columnType) {
    const { buffer, offset } = this;
    if (buffer[offset] !== DATE_AND_TIME || (separator !== null && separator !== ' ')) {
      return readDateTimeString.call(this, decimals, separator, columnType);
    }
    this.offset = offset + 1 + DATE_AND_TIME;
    const [hour, minute, second] = [byteAt(buffer, offset + 5), byteAt(buffer, offset + 6), byteAt(buffer, offset + 7)];
    return `${dateAt(buffer, offset + 1)}${MINUTES[60 * hour + minute]}${TWO_DIGITS[second]}`;
  };
  const readSample = (read: TimesPacket['readDateTimeString']): unknown[] => {
    const sample = Object.assign(Object.create(prototype), { buffer: Buffer.from(SAMPLE_TIME), offset: 0 });
    return [read.call(sample, 0, null, null), sample.offset];
  };
  if (typeof readDateTimeString !== 'function') return;
  if (String(readSample(readDateTimeString)) === String(readSample(readFaster)))
    prototype.readDateTimeString = readFaster;
}

/** The prototypes that were already patched. mysql2 does not export its packet class. */
const prototypes = new WeakSet<TimesPacket>();

/** 2024-02-09 03:05:07 in the binary protocol. */
const SAMPLE_TIME = [7, 0xe8, 0x07, 2, 9, 3, 5, 7];

/** The length of a value with a date and a time without a fraction. */
const DATE_AND_TIME = 7;

const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));
/** The text ` HH:MM:` for each minute of a day. */
const MINUTES = Array.from({ length: 24 * 60 }, (_, minute) => {
  return ` ${TWO_DIGITS[Math.floor(minute / 60)]}:${TWO_DIGITS[minute % 60]}:`;
});

const dates = new Map<number, string>();
/** The maximum number of cached date texts. Most results have few distinct dates. */
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

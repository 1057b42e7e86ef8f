import { type MysqlAddress, placeOf } from '../../databases/mysql/connection/address.js';
import { connectionOptions } from '../../databases/mysql/connection/connection-options.js';
import { explainError } from '../../databases/mysql/connection/server-error.js';
import { WriteConnection, type WriteLimits } from '../../databases/mysql/write-connection.js';

/** Opens a connection to the server. The error names the server and what to do. */
export async function openWriteConnection(
  address: MysqlAddress,
  { connectTimeoutMs = 10_000, silenceMs }: WriteLimits,
): Promise<WriteConnection> {
  const limits = { connectTimeoutMs, ...(silenceMs !== undefined && { silenceMs }) };
  try {
    return await WriteConnection.open(await connectionOptions(address), limits);
  } catch (error) {
    throw explainError(error, placeOf(address), connectTimeoutMs);
  }
}

import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const [compressBrotli, compressGzip] = [promisify(brotliCompress), promisify(gzip)];

/** Smaller files are not compressed, because they already fit into one network packet. */
const LEAST_BYTES = 1_000;
/** The maximum quality would take ten times longer for 3 % fewer bytes. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Writes a `.br` and a `.gz` file next to each file in a folder, if it becomes smaller, so that the service need not compress it. */
export async function compressFiles(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => TEXT.test(file));
  await Promise.all(
    files.map(async (file) => {
      const path = join(folder, file);
      const bytes = await readFile(path);
      if (bytes.length < LEAST_BYTES) return;
      const [brotli, zipped] = await Promise.all([compressBrotli(bytes, BROTLI), compressGzip(bytes, { level: 9 })]);
      await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, zipped)]);
    }),
  );
}

const TEXT = /\.(?:js|css|json|svg|webmanifest)$/;

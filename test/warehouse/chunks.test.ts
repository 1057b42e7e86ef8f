import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { CHUNK_BYTES, writeChunks } from '../../warehouse/import/files/chunks.js';
import { ConcatenatedObjects } from '../../warehouse/import/files/concatenated.js';

describe('chunks', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chunks-'));
  });
  after(() => rm(folder, { recursive: true }));

  const chunksOf = async (pieces: readonly string[], name: string) => {
    const chunks: { text: string; firstLine: number; rejected: number }[] = [];
    for await (const { path, firstLine, rejected } of writeChunks(streamed(pieces), folder, name)) {
      chunks.push({ text: await readFile(path, 'utf8'), firstLine, rejected });
    }
    return chunks;
  };

  it('have complete lines, independent of the pieces of the text', async () => {
    expect(await chunksOf(['{"a"', ':1}\n{"b":2}\n{"c', '":3}'], 'pieces')).to.deep.equal([
      { text: '{"a":1}\n{"b":2}\n{"c":3}', firstLine: 1, rejected: 0 },
    ]);
  });

  it('end at a size, and have the number of their first line', async () => {
    const line = `{"text":"${'x'.repeat(1_000_000)}"}\n`;
    const chunks = await chunksOf(Array(21).fill(line), 'long');
    expect(chunks.map(({ text, firstLine }) => ({ bytes: text.length, firstLine }))).to.deep.equal([
      { bytes: 9 * line.length, firstLine: 1 },
      { bytes: 9 * line.length, firstLine: 10 },
      { bytes: 3 * line.length, firstLine: 19 },
    ]);
    expect(chunks[0]?.text.length).to.be.within(CHUNK_BYTES, CHUNK_BYTES + line.length);
  });

  it('have a line for each object of a long text without line breaks', async () => {
    const object = `{"text":"}{ \\" ${'y'.repeat(1_500_000)}"}`;
    const chunks = await chunksOf([object + object, object + object, '\n{"a":1}\n'], 'row');
    const lines = chunks.map(({ text }) => text.trimEnd().split('\n'));
    expect(lines.flat().map((line) => line.length)).to.deep.equal([...Array(4).fill(object.length), 7]);
  });

  it('omit an object that is too long', () => {
    const objects = new ConcatenatedObjects(20);
    const found = [`{"a":1}  {"b":"${'z'.repeat(50)}`, '"}{"c":3}rubbish{"d":', '4}'].flatMap((piece) =>
      objects.push(Buffer.from(piece)).map(String),
    );
    expect(found).to.deep.equal(['{"a":1}', '{"c":3}', '{"d":4}']);
    expect(objects.rejected).to.equal(2);
  });
});

async function* streamed(pieces: readonly string[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece);
}

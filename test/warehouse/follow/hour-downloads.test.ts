import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { formatArchiveHour } from '../../../warehouse/import/files/archive-hours.js';
import { HourDownloads } from '../../../warehouse/import/follow/hour-downloads.js';
import { archiveServer } from '../archive-server.js';
import { temporaryFolder } from '../test-warehouse.js';
import { archiveFiles, hourOf, pathOf } from './following.js';

describe('the downloads of a follower', () => {
  it('are continued or kept, and leave nothing, also after a kill', async () => {
    const folder = await temporaryFolder();
    const killed = join(folder, 'follow-0123456789ab');
    await mkdir(join(killed, 'files'), { recursive: true });
    await writeFile(join(killed, 'lock'), '');
    await writeFile(join(killed, 'files', 'half'), 'x');
    const server = await archiveServer(archiveFiles([7, 8]), { [pathOf(7)]: ['cut'], [pathOf(8)]: ['cut'] });
    const downloads = new HourDownloads({ downloadDirectory: folder, archiveUrl: server.url });
    const fetchHours = async (...hours: number[]) => {
      const results: string[] = [];
      const { signal } = new AbortController();
      for await (const ended of downloads.fetch(hours.map(hourOf), signal))
        for (const { hour, problem } of ended)
          results.push(`${formatArchiveHour(hour)} ${problem?.state ?? 'complete'}`);
      return results.sort();
    };
    const files = async () => (await readdir(await downloads.folder())).map((name) => name.replace(/^\w+-/, '')).sort();
    try {
      expect(await fetchHours(7, 8, 9)).to.deep.equal([
        '2015-01-01-7 failed',
        '2015-01-01-8 failed',
        '2015-01-01-9 missing',
      ]);
      expect(await readdir(folder)).to.not.include('follow-0123456789ab');
      await downloads.keepOnly([hourOf(8)]);
      expect(await files()).to.deep.equal(['2015-01-01-8.json.gz.meta', '2015-01-01-8.json.gz.part']);
      expect(await fetchHours(8)).to.deep.equal(['2015-01-01-8 complete']);
      const asked = server.requests.length;
      expect(await fetchHours(8)).to.deep.equal(['2015-01-01-8 complete']);
      expect(server.requests).to.have.length(asked);
      expect(await files()).to.deep.equal(['2015-01-01-8.json.gz']);
      await downloads.remove();
      expect((await readdir(folder)).filter((name) => name.startsWith('follow'))).to.deep.equal([]);
    } finally {
      await server.close();
      await rm(folder, { recursive: true });
    }
  });
});

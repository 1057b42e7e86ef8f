import { mkdir, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedDatabase } from '../../databases/duckdb/embedded.js';
import { ahead } from './ahead.js';
import { type Chunk, writeChunks } from './chunks.js';
import { digestOf, openEventFile } from './event-file.js';
import { readLedger } from './ledger.js';
import { loadStaged, type StagedFile } from './load.js';
import { filesOf, type Source } from './sources.js';
import { type BrokenLine, Staging } from './staging.js';

export interface ImportOptions {
  /** The folder from which the database may read; emptied by the import. */
  readonly stagingDirectory: string;
  readonly now: Date;
  readonly batchEvents?: number;
  readonly brokenShare?: number;
}

export async function importSources(database: EmbeddedDatabase, sources: readonly string[], options: ImportOptions) {
  const folder = join(options.stagingDirectory, 'import');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const files = (await Promise.all(sources.map(filesOf))).flat();
  const staging = new Staging(database, folder);
  await staging.clear();
  const opened = new Map<number, ReturnType<typeof start>>();
  const waiting: (Chunk & {file:number})[] = [];
  const done: StagedFile[] = [];
  let events=0;
  const flush = async () => { if (waiting.length) { const b = await staging.add(waiting.splice(0)); events+=1; } };
  for (let n=0;n<files.length;n++) {
    for (let k=n;k<Math.min(files.length,n+3);k++) if (!opened.has(k)) opened.set(k, start(files[k] as Source, k, folder));
    const f = await opened.get(n)!;
    let bytes=0;
    for await (const chunk of f.chunks) { waiting.push({...chunk, file:n}); if (waiting.reduce((s,c)=>s+c.bytes,0)>96e6) await flush(); }
    done.push({file:n,digest:f.digest(),name:f.name,source:f.source,bytes:f.bytes,broken:0});
  }
  await flush();
  return database.write((c)=>loadStaged(c,done,options.now.toISOString().slice(0,19).replace('T',' ')));
}
async function start(source: Source, n:number, folder:string) {
  const facts = await stat(source.source);
  const f = await openEventFile(source.source, ()=>{});
  return {...source, bytes: facts.size, digest: f.digest, chunks: ahead(writeChunks(f.text, folder, String(n)), 2)};
}

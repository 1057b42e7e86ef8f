import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createDemo, demoSettings, NOW } from '../demo-service.js';
import type { Figure } from '../measure.js';

/** The parameters of a row of the benchmark. */
export interface RowContext {
  /** An empty folder. */
  readonly folder: string;
  readonly log: (text: string) => void;
  /** Whether the row is only run to check that it works, with little data and short rounds. The figures are then meaningless. */
  readonly isQuick: boolean;
  /** Returns the data folder of an embedded database with demo data, and the settings with which it is served. */
  embeddedDemo(): Promise<EmbeddedDemo>;
}

/** Measures one row of the table in the documentation, or a group of rows with the same preparation. */
export type Row = (context: RowContext) => Promise<Figure[]>;

export interface EmbeddedDemo {
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
}

const EVENTS = 300_000;
const QUICK_EVENTS = 20_000;

/** Returns a function that creates the demo on its first call. */
export function createDemoOnce({
  folder,
  log,
  isQuick,
}: Omit<RowContext, 'embeddedDemo'>): () => Promise<EmbeddedDemo> {
  let demo: Promise<EmbeddedDemo> | undefined;
  const create = async () => {
    const events = isQuick ? QUICK_EVENTS : EVENTS;
    const data = join(folder, 'demo');
    log(`creating a demo of ${events} events`);
    await mkdir(data);
    await createDemo(demoSettings(data), events);
    return { folder: data, settings: { NOW } };
  };
  return () => {
    demo ??= create();
    return demo;
  };
}

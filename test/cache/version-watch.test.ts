import { expect } from 'chai';
import { VersionWatch } from '../../engine/http/cache/serving/version-watch.js';
import type { DataVersion, DataVersions, VersionState } from '../../engine/index.js';
import { servedAnswer } from '../fast-path/served-answer.js';

describe('the end of versions', () => {
  it('is separate for tables that one transaction changed together', () => {
    const versions = new ScriptedVersions({ a: '5.x', b: '5.x' }, 1_000);
    const watch = new VersionWatch(versions, () => {});
    const ofA = answerOf({ a: '5.x' });
    const ofBoth = answerOf({ a: '5.x', b: '5.x' });
    expect(watch.lastExactAt(ofA)).to.equal(1_000);
    versions.change({ a: '6.x', b: '5.x' }, 2_000);
    versions.confirmAt(500_000);
    versions.change({ a: '6.x', b: '7.x' }, 501_000);
    expect([watch.lastExactAt(ofA), watch.lastExactAt(ofBoth)]).to.deep.equal([1_000, 1_000]);
    expect(watch.lastExactAt(answerOf({ b: '5.x' }))).to.equal(500_000);
    expect(watch.lastExactAt(answerOf({ b: '7.x' }))).to.equal(501_000);
  });
});

function answerOf(versions: Readonly<Record<string, DataVersion>>) {
  const changes = { versions: new Map(Object.entries(versions)), version: '5.x', computedAt: 500 };
  return servedAnswer('{}', undefined, changes).answer;
}

/** Versions that the test changes. */
class ScriptedVersions implements DataVersions {
  known: VersionState;
  readonly #listeners = new Set<(tables: ReadonlySet<string>) => void>();

  constructor(tables: Readonly<Record<string, DataVersion>>, confirmedAt: number) {
    this.known = { tables: new Map(Object.entries(tables)), confirmedAt };
  }

  recent(): VersionState {
    return this.known;
  }

  async confirm(): Promise<VersionState> {
    return this.known;
  }

  onChange(listener: (tables: ReadonlySet<string>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Confirms the versions, as a cache does for each request, at another time. */
  confirmAt(confirmedAt: number): void {
    this.known = { ...this.known, confirmedAt };
    for (const listener of this.#listeners) listener(new Set());
  }

  change(tables: Readonly<Record<string, DataVersion>>, confirmedAt: number): void {
    this.known = { tables: new Map(Object.entries(tables)), confirmedAt };
    for (const listener of this.#listeners) listener(new Set(Object.keys(tables)));
  }
}

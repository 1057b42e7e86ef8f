import type { Sketch } from './sketch.js';
import { LOGINS, NAMES } from './word-lists.js';

/** The names and ids of a world, which differ from those of other worlds in the same database. */
export class WorldIdentities {
  readonly #sketch: Sketch;
  readonly #worldIndex: number;

  constructor(sketch: Sketch, worldIndex: number) {
    this.#sketch = sketch;
    this.#worldIndex = worldIndex;
  }

  /** The names of a repository before and after its rename. */
  names(index: number): readonly [string, string] {
    const { name = 0, newName = 0 } = this.#sketch.repositories[index] ?? {};
    const owner = `owner${this.#worldIndex}`.padEnd(OWNER_LETTERS, '-owner');
    const named = (nameIndex: number) => `${owner}/${NAMES[nameIndex % NAMES.length]}`;
    return [named(name), newName < NAMES.length ? named(newName) : named(name)];
  }

  /** The logins of a person before and after a change of the login. */
  logins(index: number): readonly [string, string] {
    const { login = 0, newLogin = 0 } = this.#sketch.people[index] ?? {};
    return [
      this.#login(login, index),
      newLogin < LOGINS.length ? this.#login(newLogin, index) : this.#login(login, index),
    ];
  }

  #login(login: number, index: number): string {
    return (LOGINS[login] ?? '').replace('#', `${this.#worldIndex}-${index}`);
  }

  /** Returns the index of the first repository with the name. If no event has an id for the name, the details belong to this repository. */
  findFirstByName(name: string): number {
    const isSame = (other: string) => other.toLowerCase() === name.toLowerCase();
    return this.#sketch.repositories.findIndex((_, index) => this.names(index).some(isSame));
  }

  personId(index: number): bigint {
    const id = BigInt(this.#worldIndex * 100 + index + 1);
    return this.#sketch.people[index]?.hasLargeId ? LARGEST_EXACT_ID + id : id;
  }

  repositoryId(index: number): bigint {
    const id = BigInt(this.#worldIndex * 100 + index + 1);
    return this.#sketch.repositories[index]?.hasLargeId ? LARGEST_EXACT_ID + id : id;
  }

  collectionId(index: number): number {
    return this.#worldIndex * 10 + index + 1;
  }
}

/** The largest id up to which every id is exact as a JavaScript number. */
export const LARGEST_EXACT_ID = 2n ** 53n;

/** The maximum length of an owner in a request. */
const OWNER_LETTERS = 39;

import { basename } from 'node:path';
import { formatProblem, type Problem } from '../../engine/index.js';

/**
 * The prefix of all own tables. No table of this program has it, now or in later versions, so the names never collide. A name with the
 * prefix is also never a reserved word.
 */
const PREFIX = 'own_';
/** Names have at most 64 characters. The limit leaves room for suffixes of at most 10 characters, which a store appends during a load. */
const MAX_LENGTH = 48;
/** Two consecutive underscores are reserved for the tables that a store creates during a load. */
const NAME = /^own_[a-z0-9]+(_[a-z0-9]+)*$/;

export function isOwnTableName(name: string): boolean {
  return NAME.test(name) && name.length <= MAX_LENGTH;
}

/** Returns the requested name, or a name that is derived from the file name. Throws `OwnTableError`. */
export function chooseTableName(file: string, requested: string | undefined): string {
  if (requested !== undefined) return requireOwnTableName(requested);
  const stem = basename(file).replace(/\.[^.]*$/, '');
  const words = toWords(stem);
  const name = words.startsWith(PREFIX) ? words : `${PREFIX}${words}`;
  if (isOwnTableName(name)) return name;
  throw new OwnTableError(
    `${file}: no name of a table can be made from this file name. Pass one, such as --name ${PREFIX}countries.`,
  );
}

/** Throws `OwnTableError` if the text is not the name of an own table. */
function requireOwnTableName(name: string): string {
  if (isOwnTableName(name)) return name;
  const words = toWords(name)
    .replace(/^own_/, '')
    .slice(0, MAX_LENGTH - PREFIX.length);
  const proposal = `${PREFIX}${words}`.replace(/_$/, '');
  const hint = isOwnTableName(proposal) ? ` (did you mean "${proposal}"?)` : '';
  throw new OwnTableError(
    `invalid name of an own table${hint}: expected ${PREFIX} and then small letters, digits and single _, at most ` +
      `${MAX_LENGTH} characters, got ${JSON.stringify(name)}`,
  );
}

function toWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}

/** Thrown if a file cannot become an own table. Nothing was changed. */
export class OwnTableError extends Error {
  override readonly name = 'OwnTableError';
}

/** Creates the error for an invalid documentation file, with all problems and their positions. */
export function documentError(problems: readonly Problem[]): OwnTableError {
  return new OwnTableError(problems.map(formatProblem).join('\n'));
}

/** Formats a value of a file for a message: quoted and truncated. */
export function quoteValue(value: string): string {
  return JSON.stringify(value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value);
}

const MAX_SHOWN = 60;

import { distance } from 'fastest-levenshtein';
import { readRepositoryName, type Token } from '../language/text.js';
import type { FindNames } from './find-names.js';
import type { Slot } from './slot.js';

type RepositorySlot = Slot & { readonly kind: 'repository' };
type FindRepositories = FindNames['repositories'];

/** The maximum number of name lookups in the database per question. */
const MAX_LOOK_UPS = 4;

export interface RepositoryReading {
  readonly tokens: readonly Token[];
  /** Whether a word has no other meaning, so that it may be a name. */
  readonly isUnknown: (index: number) => boolean;
  /** Whether a word without `/`, as in `and/or`, is a word of the lexicon. */
  readonly isWord: (word: string) => boolean;
  readonly signal: AbortSignal;
}

/** Finds the repositories in a question: as `owner/name`, as a URL, or only by name. Throws `EngineError` if the search for names fails. */
export async function readRepositories(find: FindRepositories, reading: RepositoryReading): Promise<RepositorySlot[]> {
  const { tokens } = reading;
  const full: RepositorySlot[] = [];
  let lookUps = 0;
  for (const [start, { text }] of tokens.entries()) {
    const [owner, name] = readRepositoryName(text) ?? [];
    if (owner === undefined || name === undefined || /^\d+$/.test(owner + name)) continue;
    const known = lookUps < MAX_LOOK_UPS ? await find(`${owner}/${name}`, reading.signal) : [];
    lookUps += 1;
    const isPair = known.length === 0 && [owner, name].every((part) => reading.isWord(part.toLowerCase()));
    if (isPair) continue;
    const slot = { start, end: start + 1, isGuessed: false };
    if (known[0] !== undefined) full.push({ ...repository(known[0]), ...slot, isKnown: true });
    else
      full.push(
        (await findMeant(find, [owner, name], start, reading)) ?? {
          ...repository(`${owner}/${name}`),
          ...slot,
          isKnown: false,
        },
      );
  }
  return full.length > 0 ? full : readBareNames(find, reading, MAX_LOOK_UPS - lookUps);
}

/** Finds the repository that a full name without a repository means: parts with a space instead of a hyphen, or a misspelled owner. */
async function findMeant(
  find: FindRepositories,
  [owner, name]: readonly [string, string],
  at: number,
  reading: RepositoryReading,
): Promise<RepositorySlot | undefined> {
  const joined = await findJoined(find, at, reading);
  if (joined !== undefined || owner.length <= 2 * MAX_EDITS) return joined;
  const isSimilar = (one: string) => distance(ownerOf(one), owner.toLowerCase()) <= MAX_EDITS;
  const [only, ...others] = (await find(name, reading.signal)).filter(isSimilar);
  if (only === undefined || others.length > 0) return undefined;
  return { ...repository(only), isGuessed: true, isKnown: true, start: at, end: at + 1 };
}

const MAX_EDITS = 2;

function ownerOf(fullName: string): string {
  return fullName.slice(0, fullName.indexOf('/')).toLowerCase();
}

/** Finds names that are written with a space instead of a hyphen: `ivory raven/cliff-http` or `ivory-raven/cliff http`. */
async function findJoined(
  find: FindRepositories,
  at: number,
  { tokens, isUnknown, signal }: RepositoryReading,
): Promise<RepositorySlot | undefined> {
  for (const start of at === 0 ? [at] : [at - 1, at]) {
    const [first, second] = tokens.slice(start, start + 2);
    if (first === undefined || second === undefined || !isUnknown(start === at ? at + 1 : start)) continue;
    const [name] = await find(`${first.text}-${second.text}`, signal);
    if (name !== undefined) return { ...repository(name), isGuessed: true, isKnown: true, start, end: start + 2 };
  }
  return undefined;
}

/** Looks up unknown words as names, for example `reed-stack`, `reed stack`, or `amber-ibex reed-stack`. */
async function readBareNames(
  find: FindRepositories,
  { tokens, isUnknown, signal }: RepositoryReading,
  lookUps: number,
): Promise<RepositorySlot[]> {
  const candidates = [...new Set(runsOf(tokens, isUnknown).flatMap((run) => spellings(tokens, run)))];
  const slots: RepositorySlot[] = [];
  for (const { keyword, start, end } of candidates.slice(0, lookUps)) {
    if (slots.some((slot) => slot.start < end && start < slot.end)) continue;
    const [name, ...others] = await find(keyword, signal);
    if (name === undefined) continue;
    const found: RepositorySlot = {
      ...repository(name),
      ...{ others, isGuessed: !keyword.includes('/'), isKnown: true, start, end },
    };
    slots.push(found, ...ownerNextTo(found, tokens));
  }
  return slots;
}

/** Looks up unknown words as logins of people and organizations. */
export async function readAccounts(
  find: FindNames['account'],
  { tokens, isUnknown, signal }: RepositoryReading,
): Promise<Slot[]> {
  const unknown = [...tokens.entries()].filter(([at]) => isUnknown(at)).slice(0, MAX_LOOK_UPS);
  const slots: Slot[] = [];
  for (const [start, { text }] of unknown) {
    const login = await find(text, signal);
    if (login !== undefined) slots.push({ kind: 'account', login, start, end: start + 1 });
  }
  return slots;
}

/** Finds the owner next to a repository, as in `reed-stack by amber-ibex`, so that it is not read as another name. */
function ownerNextTo(found: RepositorySlot, tokens: readonly Token[]): RepositorySlot[] {
  return tokens.flatMap(({ word }, start) =>
    word === found.owner.toLowerCase() && (start < found.start || start >= found.end)
      ? [{ ...found, start, end: start + 1 }]
      : [],
  );
}

interface Run {
  readonly start: number;
  readonly end: number;
}

/** Returns the sequences of unknown words. Words with a hyphen or digit come first, because they are probably names. */
function runsOf(tokens: readonly Token[], isUnknown: (index: number) => boolean): Run[] {
  const runs: Run[] = [];
  for (let start = 0; start < tokens.length; start += 1) {
    let end = start;
    while (end < tokens.length && isUnknown(end)) end += 1;
    if (end > start) runs.push({ start, end });
    start = Math.max(start, end);
  }
  const isNameLike = ({ start, end }: Run) => tokens.slice(start, end).some(({ text }) => /[\d_.-]/.test(text));
  return [...runs.filter(isNameLike), ...runs.filter((run) => !isNameLike(run))];
}

function spellings(tokens: readonly Token[], { start, end }: Run): (Run & { readonly keyword: string })[] {
  const [first = '', second, third] = tokens.slice(start, end).map(({ text }) => text);
  if (!isNameText(first)) return [];
  if (second === undefined) return [{ keyword: first, start, end }];
  if (third !== undefined || !isNameText(second)) return [];
  return [
    { keyword: `${first}/${second}`, start, end },
    { keyword: `${first}-${second}`, start, end },
  ];
}

function isNameText(text: string): boolean {
  return /^[a-z0-9._-]{2,100}$/i.test(text);
}

function repository(fullName: string): Omit<RepositorySlot, 'start' | 'end' | 'isGuessed' | 'isKnown'> {
  const at = fullName.indexOf('/');
  return { kind: 'repository', owner: fullName.slice(0, at), name: fullName.slice(at + 1), others: [] };
}

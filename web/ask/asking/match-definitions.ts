import type { DefinitionSummary } from '../../api/definitions.js';

/** A definition that answers a question similar to that of the user. */
export interface DefinitionMatch {
  readonly name: string;
  readonly summary: string;
  /** The most similar question of the definition, with parameters in braces. */
  readonly question: string;
  /** Parameter values that were found in the question of the user. */
  readonly params: Readonly<Record<string, string>>;
}

const MAX_MATCHES = 4;
/** The minimum share of the user's words that a match must contain. */
const MIN_SHARE = 0.5;
/** Matches below this share of the best score are not shown. */
const MIN_OF_BEST = 0.85;

/** Finds the definitions whose questions are similar to a text. The function only compares words, so it is less exact than the service. */
export function matchDefinitions(text: string, definitions: readonly DefinitionSummary[]): readonly DefinitionMatch[] {
  const [, owner, repo] = /(?:^|[\s"'`(])([\w-]+)\/([\w.-]*\w)/.exec(text.replace(/https?:\/\/[^/\s]+\//, ' ')) ?? [];
  const words = wordsOf(text.replace(`${owner}/${repo}`, ' '));
  if (words.size < 2) return [];
  const scored = definitions
    .filter(({ state }) => state !== 'broken')
    .flatMap((definition) => {
      const best = definition.questions
        .filter((question) => owner !== undefined || !question.includes('{owner}'))
        .map((question) => ({ question, score: similarity(words, wordsOf(question)) }))
        .sort((one, other) => other.score - one.score)[0];
      return best === undefined || best.score < MIN_SHARE ? [] : [{ ...best, definition }];
    })
    .sort((one, other) => other.score - one.score);
  const best = scored[0]?.score ?? 0;
  return scored
    .filter(({ score }) => score >= best * MIN_OF_BEST)
    .slice(0, MAX_MATCHES)
    .map(({ definition: { name, summary }, question }) => ({
      name,
      summary: summary ?? name,
      question,
      params: owner !== undefined && repo !== undefined && question.includes('{owner}') ? { owner, repo } : {},
    }));
}

/** The share of common words, mostly of the user's words, and with a smaller weight of the definition's words. */
function similarity(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const common = [...words].filter((word) => others.has(word)).length;
  return others.size === 0 ? 0 : (0.7 * common) / words.size + (0.3 * common) / others.size;
}

/** Returns the words of a text, without parameters, plural endings and words that are in most questions. */
function wordsOf(text: string): ReadonlySet<string> {
  const words =
    text
      .toLowerCase()
      .replaceAll(/\{\w+\}/g, ' ')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !EMPTY.has(word)).map((word) => word.replace(/(?<=\w{3})s$/, '')));
}

const EMPTY: ReadonlySet<string> = new Set(
  'a an and are at by did do does for from had has have how i in is it me of on or show that the there this to was were what when where which who with'.split(
    ' ',
  ),
);
